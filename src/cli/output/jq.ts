import { raw } from 'jq-wasm';
import { usageError } from '../lib/errors.js';

/**
 * What jq prints for the value: strings as they are, everything else as JSON, indented unless it is to be `compact`.
 * @throws {CliError} when the expression is wrong or fails, also after its first results: half of them is no answer.
 */
export async function filterWithJq(
  value: unknown,
  expression: string,
  { compact }: { compact: boolean },
): Promise<string> {
  const { stdout, stderr, exitCode } = await raw(
    JSON.stringify(value ?? null),
    expression,
    compact ? ['-r', '-c'] : ['-r'],
  );
  if (exitCode !== 0) throw usageError(`--jq failed: ${stderr.trim().split('\n')[0]}`);
  return stdout;
}
