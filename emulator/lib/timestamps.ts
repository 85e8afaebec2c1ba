/**
 * Formats a time as the API prints it: ISO 8601 with milliseconds, UTC.
 * @param time milliseconds since 1970
 */
export function formatTimestamp(time: number): string {
  return new Date(time).toISOString();
}

/** Parses a timestamp to milliseconds since 1970; NaN when it is not a date. */
export function parseTimestamp(text: string): number {
  return Date.parse(text);
}
