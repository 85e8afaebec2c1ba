import { raw } from 'jq-wasm';
import { usageError } from '../lib/errors.js';
import { withoutWasmOptimizer } from './wasm-baseline.js';

/**
 * Filters a value with jq. Results that are strings are printed as they are, others as JSON, indented unless `compact`.
 * @throws {CliError} when the expression is not valid or fails, even if it has produced results
 */
export async function filterWithJq(
  value: unknown,
  expression: string,
  { compact }: { compact: boolean },
): Promise<string> {
  const input = JSON.stringify(value ?? null);
  const { stdout, stderr, exitCode } = await withoutWasmOptimizer(() =>
    raw(input, expression, compact ? ['-r', '-c'] : ['-r']),
  );
  if (exitCode !== 0) throw usageError(`--jq failed: ${stderr.trim().split('\n')[0]}`);
  return stdout;
}
