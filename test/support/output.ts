import type { OutputSettings } from '../../src/cli/config/settings.js';
import { createOutput, type Output } from '../../src/cli/output/output.js';

const SETTINGS: OutputSettings = {
  times: 'utc',
  mode: 'json',
  chosen: true,
  json: true,
  fields: undefined,
  jq: undefined,
  quiet: false,
  reveal: false,
  debug: false,
  color: { stdout: false, stderr: false },
  animate: false,
  inWorkflow: false,
  width: Number.POSITIVE_INFINITY,
};

interface CollectedOutput {
  output: Output;
  /** What was written, in order, as `out text` and `err text`. */
  lines: string[];
  /** The same without names of streams. */
  written: string[];
}

/** Creates the output of a command, which collects what it writes; JSON off a terminal unless the settings differ. */
export async function collectOutput(
  settings: Partial<OutputSettings> = {},
  { isTTY = false, columns }: { isTTY?: boolean; columns?: number } = {},
): Promise<CollectedOutput> {
  const [lines, written]: [string[], string[]] = [[], []];
  const stream = (name: string) => ({
    columns,
    write(text: string) {
      written.push(text);
      lines.push(`${name} ${text.trim()}`);
    },
  });
  const stdout = { ...stream('out'), isTTY };
  const output = await createOutput({ ...SETTINGS, ...settings }, { stdout, stderr: stream('err') });
  return { output, lines, written };
}
