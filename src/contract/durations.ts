const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const UNIT_MS: Record<string, number> = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const SHORT = new RegExp(`^(?:${NUMBER}(?:ms|s|m|h|d))+$`);
const SHORT_PART = new RegExp(`(${NUMBER})(ms|s|m|h|d)`, 'g');

/** The parts of an ISO 8601 duration in order. A year has 365 days and a month 30. */
const ISO_PARTS_MS = [365 * DAY_MS, 30 * DAY_MS, 7 * DAY_MS, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS];
const ISO = new RegExp(
  `^P(?=.)(?:(${NUMBER})Y)?(?:(${NUMBER})M)?(?:(${NUMBER})W)?(?:(${NUMBER})D)?` +
    `(?:T(?=.)(?:(${NUMBER})H)?(?:(${NUMBER})M)?(?:(${NUMBER})S)?)?$`,
);

/** Parses `250ms`, `90m`, `1h30m`, `2d` or ISO 8601 (`PT90M`), with or without a minus, to milliseconds. */
export function parseDuration(text: string): number | undefined {
  const negative = text.startsWith('-');
  const unsigned = negative ? text.slice(1) : text;
  const ms = SHORT.test(unsigned) ? parseShort(unsigned) : parseIso(unsigned);
  if (ms === undefined) return undefined;
  return negative ? -Math.round(ms) : Math.round(ms);
}

function parseShort(text: string): number {
  let total = 0;
  for (const [, amount, unit = ''] of text.matchAll(SHORT_PART))
    total += Number(amount) * (UNIT_MS[unit] ?? 0);
  return total;
}

function parseIso(text: string): number | undefined {
  const parts = ISO.exec(text)?.slice(1);
  return parts?.reduce((total, amount = '0', i) => total + Number(amount) * (ISO_PARTS_MS[i] ?? 0), 0);
}
