import { expect, test } from 'vitest';
import type { OutputSettings } from '../../../src/cli/config/settings.js';
import { createOutput } from '../../../src/cli/output/output.js';

const SETTINGS: OutputSettings = {
  mode: 'json',
  chosen: true,
  fields: undefined,
  jq: undefined,
  json: true,
  quiet: false,
  reveal: false,
  debug: false,
  color: { stdout: false, stderr: false },
  animate: false,
  inWorkflow: false,
  width: Number.POSITIVE_INFINITY,
};

async function outputWith(settings: Partial<OutputSettings>) {
  const written: string[] = [];
  const output = await createOutput(
    { ...SETTINGS, ...settings },
    {
      stdout: {
        isTTY: false,
        write: (text) => written.push(`out ${text.trim()}`),
        stream: () => process.stdout,
      },
      stderr: { write: (text) => written.push(`err ${text.trim()}`) },
    },
  );
  return { output, written };
}

test('the target waits for the first result where errors are JSON', async () => {
  const { output, written } = await outputWith({});
  output.target('→ production');
  expect(written).toEqual([]);
  await output.result({ ok: true }, { redaction: 'plain' });
  expect(written[0]).toBe('err → production');
});

test('the target comes before what the command says about its writes', async () => {
  const { output, written } = await outputWith({});
  output.target('→ production');
  output.notice('updated  reactor charge');
  output.warn('this is close to the limit');
  expect(written).toEqual([
    'err → production',
    'err updated  reactor charge',
    'err warning: this is close to the limit',
  ]);
});

test('the target is printed at the end of a command without a result', async () => {
  const { output, written } = await outputWith({});
  output.target('→ production');
  output.flush();
  output.flush();
  expect(written).toEqual(['err → production']);
});

test('the target is printed at once where errors are text, and never with --quiet', async () => {
  const table = await outputWith({ mode: 'table' });
  table.output.target('→ production');
  expect(table.written).toEqual(['err → production']);
  const quiet = await outputWith({ mode: 'table', quiet: true });
  quiet.output.target('→ production');
  quiet.output.flush();
  expect(quiet.written).toEqual([]);
});
