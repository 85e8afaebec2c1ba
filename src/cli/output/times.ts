import type { OutputSettings } from '../config/settings.js';

/** Formats a time of the service, in ISO 8601; a value that is no time is empty. */
export type TimeFormat = (time: unknown) => string;

/** Formats a time as the service has it, without its milliseconds. */
export const showTime = (time: unknown): string =>
  typeof time === 'string' ? time.replace(/\.\d+(?=Z|[+-]|$)/, '').replace(/\+00:00$/, 'Z') : '';

export function timeFormat(style: OutputSettings['times'], now = Date.now()): TimeFormat {
  if (style === 'utc') return showTime;
  return (time) => {
    const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN;
    if (Number.isNaN(ms)) return showTime(time);
    // `2026-01-31 13:00:00`, in the time zone of this machine: the Swedish form is that of ISO 8601.
    return style === 'local' ? new Date(ms).toLocaleString('sv') : toRelativeTime(ms - now, showTime(time));
  };
}

const UNIT_SECONDS = { d: 86_400, h: 3_600, min: 60, s: 1 };

/** Days within which a distance says more than a date. */
const MAX_DAYS = 30;

/** `3 min ago`, `in 2 h`; the date of what is further away. @param ms from now on, negative for the past */
function toRelativeTime(ms: number, time: string): string {
  const seconds = Math.floor(Math.abs(ms) / 1000);
  const [unit, each] = Object.entries(UNIT_SECONDS).find(([, length]) => seconds >= length) ?? [];
  if (unit === undefined || each === undefined) return 'now';
  const count = Math.floor(seconds / each);
  if (unit === 'd' && count > MAX_DAYS) return time.slice(0, '2026-01-31'.length);
  return ms < 0 ? `${count} ${unit} ago` : `in ${count} ${unit}`;
}
