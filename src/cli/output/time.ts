/** Columns of a time in a table. */
export const TIME_WIDTH = '2026-01-31T12:00:00Z'.length;

/** Formats a time of the service for a table, without its milliseconds. */
export function showTime(time: unknown): string {
  return typeof time === 'string' ? time.replace(/\.\d+(?=Z|[+-]|$)/, '').replace(/\+00:00$/, 'Z') : '';
}
