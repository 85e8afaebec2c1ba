import type { Client } from '../../../client/client.js';
import { parseDuration } from '../../../contract/durations.js';
import type { Context } from '../../command.js';
import { readRunningState } from '../../config/state-file.js';
import { CliError, usageError } from '../../lib/errors.js';
import { resolveId } from '../../lib/lookup.js';
import { callControl } from '../shared/running-emulator.js';

/**
 * Resolves an id, or the exact name of an application or reactor, to the id that the audit log names.
 * @throws {CliError} if no application or reactor, or more than one, has the name
 */
export async function resolveActorId(idOrName: string, client: Client): Promise<string> {
  for (const noun of ['application', 'reactor'] as const) {
    try {
      return await resolveId(client, noun, idOrName);
    } catch (error) {
      if (!(error instanceof CliError) || error.failure.category !== 'not_found') throw error;
    }
  }
  throw new CliError('not_found', `There is no application or reactor named ${JSON.stringify(idOrName)}.`, {
    hint: 'List them: tokenctl application list, tokenctl reactor list',
  });
}

const DAY_MS = 86_400_000;

/** Days before the current one, by the word that stands for their first moment. */
const DAYS_AGO: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };

/**
 * Parses a point in time: ISO 8601, a duration before now (`24h`, `7d`), `today` or `yesterday` (midnight UTC).
 * @param readNow reads the time of the service, if the text is relative to it. Milliseconds since 1970
 * @returns ISO 8601 for the service; undefined if the flag is not given
 * @throws {CliError} that names the flag
 */
export async function parseInstant(
  text: string | undefined,
  flag: string,
  readNow: () => Promise<number>,
): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const days = DAYS_AGO[text.toLowerCase()];
  if (days !== undefined) return toIso(Math.floor((await readNow()) / DAY_MS) * DAY_MS - days * DAY_MS);
  const ago = parseDuration(text);
  if (ago !== undefined && ago >= 0) return toIso((await readNow()) - ago);
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw usageError(
    `${flag} must be a time such as 2026-01-31T12:00:00Z, today, yesterday, or how long ago, such as 24h or 7d.`,
  );
}

const toIso = (ms: number): string => new Date(ms).toISOString();

/**
 * Returns the time of the service, by which its timestamps are made: of the emulator of this directory if that is the target,
 * whose clock can be moved, otherwise of this machine. Milliseconds since 1970.
 */
export async function readServiceTime(context: Context): Promise<number> {
  const { client, settings } = context;
  const [{ transport }, state] = await Promise.all([client.connection(), readRunningState(settings)]);
  if (state?.base_url !== transport.url) return Date.now();
  const { now } = await callControl(context, 'clock.get');
  return Date.parse(now);
}
