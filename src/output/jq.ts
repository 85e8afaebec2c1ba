import jq from 'jq-wasm';
import { usageError } from '../failure.js';

/**
 * What jq prints for the value: strings as they are, everything else as JSON, indented unless it is to be `compact`.
 * @throws {CliError} when the expression is wrong or fails.
 */
export async function filterWithJq(
  value: unknown,
  expression: string,
  { compact }: { compact: boolean },
): Promise<string> {
  try {
    return await jq.raw(JSON.stringify(value ?? null), expression, compact ? ['-r', '-c'] : ['-r']);
  } catch (error) {
    throw usageError(`--jq failed: ${firstLine(error)}`);
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trim().split('\n')[0] ?? '';
}
