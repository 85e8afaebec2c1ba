import type { Client } from '../../../client/client.js';
import { CliError } from '../../lib/errors.js';
import { toFailure } from '../../lib/failure.js';
import { matchJson } from '../../lib/json-match.js';

/** An invocation that must succeed after a deployment. */
export interface SmokeTest {
  args: Record<string, unknown> | string;
  /** The whole reactor response; absent if any success will do. */
  expect?: unknown;
}

/**
 * Invokes a reactor and compares the response. Errors never contain values, which may be sensitive.
 * @throws {CliError} if the invocation fails or the response differs.
 */
export async function runSmokeTest(client: Client, id: string, { args, expect }: SmokeTest): Promise<void> {
  const response = await client.call('reactors.react', { path: { id }, body: { args } }).catch((error) => {
    const { category, errors, traceId, status, detail } = toFailure(error);
    if (category === 'interrupted') throw error;
    throw new CliError('failed', `The smoke test failed: ${detail}`, { errors, traceId, status });
  });
  if (expect === undefined) return;
  const mismatches = matchJson(expect, response ?? {}, { partial: false });
  if (mismatches.length === 0) return;
  throw new CliError('failed', 'The response to the smoke test differs from --expect.', {
    errors: Object.fromEntries(mismatches.map(({ path }) => [path || 'response', ['is not as expected']])),
  });
}
