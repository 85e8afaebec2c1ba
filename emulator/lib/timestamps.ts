let last = { time: Number.NaN, text: '' };

/**
 * Formats a time as the API prints it: ISO 8601 with milliseconds, UTC. The last one is remembered: those of one request are
 * mostly equal.
 * @param time milliseconds since 1970
 */
export function formatTimestamp(time: number): string {
  if (time !== last.time) last = { time, text: new Date(time).toISOString() };
  return last.text;
}
