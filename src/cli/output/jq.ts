import { raw } from 'jq-wasm';
import { usageError } from '../lib/errors.js';

/** Filters a value with jq. Results that are strings are printed as they are, others as JSON, indented unless `compact`. */
export async function filterWithJq(value: unknown, expression: string, { compact }: { compact: boolean }) {
  const input = JSON.stringify(value ?? null);
  const { stdout, stderr, exitCode } = await raw(input, expression, compact ? ['-r', '-c'] : ['-r']);
  if (exitCode !== 0) throw usageError(describeJqError(stderr));
  return stdout;
}

/** Words the first line of what jq prints. Data that it quotes stays out of it. */
function describeJqError(stderr: string): string {
  const [line = ''] = stderr.trim().split('\n');
  const column = /column (\d+)/.exec(line)?.[1];
  const at = column === undefined ? '' : ` (column ${column})`;
  if (line.includes('unexpected end of file')) return `--jq: the filter is incomplete${at}.`;
  return `--jq failed: ${line.replace(/^jq: error(?: \(at [^)]*\))?: /, '').replace(/ at <top-level>.*$/, `${at}.`)}`;
}
