import type { Client } from '../../../client/client.js';
import { CliError } from '../../lib/errors.js';
import { toFailure } from '../../lib/failure.js';
import { matchJson } from '../../lib/json-match.js';

/** An invocation that must succeed after a deployment. */
export interface SmokeTest {
  args: Record<string, unknown> | string;
  /** The whole reactor response; left out: any success will do. */
  expect?: unknown;
}

/**
 * Invokes the reactor and compares the answer. Values are in no message: they may be sensitive.
 * @throws {CliError} when it fails or gives something else.
 */
export async function runSmokeTest(client: Client, id: string, smoke: SmokeTest): Promise<void> {
  const answer = await client
    .call('reactors.react', { path: { id }, body: { args: smoke.args } })
    .catch((error) => {
      const { category, errors, traceId, status, detail } = toFailure(error);
      if (category === 'interrupted') throw error;
      throw new CliError('failed', `The smoke test failed: ${detail}`, { errors, traceId, status });
    });
  if (smoke.expect === undefined) return;
  const found = matchJson(smoke.expect, answer ?? {}, { partial: false });
  if (found.length === 0) return;
  throw new CliError('failed', 'The smoke test gave another result than --expect says.', {
    errors: Object.fromEntries(found.map(({ path }) => [path || 'response', ['is not what was expected']])),
  });
}
