import { Duration } from 'luxon';

const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;
const SHORT = /^(?:\d+(?:ms|d|h|m|s))+$/;

/** Milliseconds of `90m`, `1h30m`, `2d` or ISO 8601 (`PT90M`), either with a minus before it; undefined otherwise. */
export function parseDuration(text: string): number | undefined {
  if (text.startsWith('-')) {
    const ms = parseDuration(text.slice(1));
    return ms === undefined ? undefined : -ms;
  }
  if (SHORT.test(text)) return parseShort(text);
  const duration = Duration.fromISO(text);
  return duration.isValid ? duration.toMillis() : undefined;
}

function parseShort(text: string): number {
  return [...text.matchAll(/(\d+)(ms|d|h|m|s)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit as keyof typeof UNITS],
    0,
  );
}
