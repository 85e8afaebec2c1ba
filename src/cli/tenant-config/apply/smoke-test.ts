import type { Client } from '../../../client/client.js';
import { CliError } from '../../lib/errors.js';
import { type Mismatch, matchJson } from '../../lib/json-match.js';
import { hideSecrets } from '../../lib/secrets.js';
import { toFailure } from '../../lib/to-failure.js';
import type { SmokeCase } from '../../manifest/schema.js';
import type { DeployedPositions } from '../../reactors/build/deployed-positions.js';

const MAX_VALUE_CHARACTERS = 300;

/** Formats a value of `raw`, which is not sensitive (spec, Reactor code contract). What is in `tokens` is not shown. */
function formatActual({ path, actual }: Mismatch): string {
  if (actual === undefined) return 'nothing';
  if (path !== 'raw' && !/^raw[.[]/.test(path)) return 'another value (not shown)';
  // Before it is cut: a part of a secret would not be recognized.
  const text = hideSecrets(JSON.stringify(actual));
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text;
}

interface SmokeServices {
  client: Client;
  /** Finds the sources of what the errors name. */
  positions?: DeployedPositions | undefined;
}

/**
 * Invokes a reactor and compares the response.
 * @throws {CliError} if the invocation fails or the response differs; it names what was expected and what was returned
 */
async function runCase(
  id: string,
  { name, args, expect }: SmokeCase,
  { client, positions }: SmokeServices,
): Promise<void> {
  const title = name === undefined ? '' : ` ${JSON.stringify(name)}`;
  const response = await client
    .call('reactors.react', { path: { id }, body: { args } })
    .catch(async (error) => {
      const { category, errors, traceId, status, detail } = toFailure(error);
      if (category === 'interrupted') throw error;
      const located = (await positions?.replace(id, detail)) ?? detail;
      throw new CliError('failed', `The smoke test${title} failed: ${located}`, { errors, traceId, status });
    });
  if (expect === undefined) return;
  const mismatches = matchJson(expect, response ?? {}, { partial: false });
  if (mismatches.length === 0) return;
  throw new CliError('failed', `The response to the smoke test${title} differs from the expected one.`, {
    errors: Object.fromEntries(
      mismatches.map((mismatch) => [
        mismatch.path || 'response',
        [`expected ${mismatch.expected}, got ${formatActual(mismatch)}`],
      ]),
    ),
  });
}

/** Runs the cases one after the other. @throws {CliError} for the first that fails */
export async function runSmokeTests(
  id: string,
  cases: readonly SmokeCase[],
  services: SmokeServices,
): Promise<void> {
  for (const one of cases) await runCase(id, one, services);
}
