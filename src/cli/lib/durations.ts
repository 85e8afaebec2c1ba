import { usageError } from './errors.js';

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/**
 * Milliseconds of `90s`, `1h30m` or a plain number of seconds.
 * @throws {CliError} that names the flag.
 */
export function parseDuration(text: string, flag: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return checked(Number(text) * 1000, flag);
  if (!new RegExp(`^(?:${PART.source})+$`).test(text)) throw refusal(flag);
  let total = 0;
  for (const [, amount, unit] of text.matchAll(PART)) total += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  return checked(total, flag);
}

function refusal(flag: string) {
  return usageError(`${flag} must be a positive duration: seconds (60), or 90s, 2m, 1h30m.`);
}

// setTimeout's own limit: above it a timer fires at once.
function checked(ms: number, flag: string): number {
  if (ms < 1 || ms > 2_147_483_647) throw refusal(flag);
  return Math.round(ms);
}
