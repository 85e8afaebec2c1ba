import { parseDuration } from '../../../contract/durations.js';
import { usageError } from '../../lib/errors.js';

/**
 * Parses a point in time: ISO 8601, or a duration before now (`24h`, `7d`).
 * @returns ISO 8601 for the service; undefined if the flag is not given
 * @throws {CliError} that names the flag
 */
export function parseInstant(text: string | undefined, flag: string, now = Date.now()): string | undefined {
  if (text === undefined) return undefined;
  const ago = parseDuration(text);
  if (ago !== undefined && ago >= 0) return new Date(now - ago).toISOString();
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw usageError(
    `${flag} must be a time such as 2026-01-31T12:00:00Z, or how long ago, such as 24h or 7d.`,
  );
}
