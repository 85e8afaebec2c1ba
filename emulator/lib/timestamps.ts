/**
 * Formats a time as the API prints it: ISO 8601 with milliseconds, UTC.
 * @param time milliseconds since 1970
 */
export const formatTimestamp = (time: number): string => new Date(time).toISOString();
