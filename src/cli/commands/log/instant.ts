import { parseDuration } from '../../../contract/durations.js';
import { usageError } from '../../lib/errors.js';

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
