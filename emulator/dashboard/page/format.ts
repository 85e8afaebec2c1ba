const number = new Intl.NumberFormat('en-US');

export const formatNumber = (value: number): string => number.format(value);

/** `2026-11-22 14:05:09`, in the time zone of the timestamp, which is UTC unless a user chose another. */
export const formatTime = (timestamp: string): string =>
  `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)}`;

/** `14:05:09.123` */
export const formatClockTime = (timestamp: string): string => timestamp.slice(11, 23);

/** `0.8 ms`, `12 ms`, `1.25 s` */
export function formatDuration(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(2)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `3 d`, `-5 min`: in the largest unit; undefined below a second. */
function toLargestUnit(ms: number): string | undefined {
  const [unit, size] = UNITS.find(([, size]) => Math.abs(ms) >= size) ?? [];
  return size && `${Math.trunc(ms / size)} ${unit}`;
}

/** `+3 d`, `-5 min`; an empty string below a second. */
export const formatOffset = (ms: number): string =>
  toLargestUnit(Math.round(ms / 1_000) * 1_000)?.replace(/^\d/, '+$&') ?? '';

/** `3 min ago`, `in 2 h`, `now`. @param ms from now on, negative for the past */
export function formatDistance(ms: number): string {
  const distance = toLargestUnit(ms);
  if (distance === undefined) return 'now';
  return ms < 0 ? `${distance.slice(1)} ago` : `in ${distance}`;
}

/** Whether a text has all words that a person typed, in any case. */
export const hasWords = (text: string, typed: string): boolean =>
  typed.split(/\s+/).every((word) => text.toLowerCase().includes(word.toLowerCase()));

/** JSON in lines, as it is shown in code blocks and editors. */
export const formatJson = (value: unknown): string => JSON.stringify(value, undefined, 2) ?? '';

/** Quotes a text for a POSIX shell. */
export const quote = (text: string): string =>
  /^[\w/.:=%-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
