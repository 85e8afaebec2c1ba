import { parseDuration } from '../../../../contract/durations.js';

/** Converts a duration to the time when it has passed. Anything else is a time, which the service validates. */
export function toExpiry(text: string, now = Date.now()): string {
  const ms = parseDuration(text);
  return ms === undefined || ms <= 0 ? text : new Date(now + ms).toISOString();
}
