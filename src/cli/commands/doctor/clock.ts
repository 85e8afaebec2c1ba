import { type CheckResult, passed, problem } from './check.js';
import type { Probed } from './probe.js';

/** A difference below it does not matter. Milliseconds. */
const TOLERANCE_MS = 60_000;
/** The header has whole seconds. */
const HALF_SECOND_MS = 500;

const FIXES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
};

/**
 * Compares the clock of this machine with the `Date` header of a response. An emulator sends the time of its machine there,
 * not that of its clock.
 */
export function checkClock(probed: Probed, platform: NodeJS.Platform): CheckResult[] {
  const { response } = probed;
  const date = response ? Date.parse(response.headers.date ?? '') : Number.NaN;
  if (!response || Number.isNaN(date)) return [];
  const aheadMs = (probed.sentAt + probed.receivedAt) / 2 - (date + HALF_SECOND_MS);
  if (Math.abs(aheadMs) < TOLERANCE_MS) return [passed('clock', 'agrees with that of the service')];
  const direction = aheadMs > 0 ? 'ahead of' : 'behind';
  return [
    problem(
      'clock',
      'failed',
      `this machine is ${formatDifference(Math.abs(aheadMs))} ${direction} the service`,
      FIXES[platform] ?? 'sudo timedatectl set-ntp true',
    ),
  ];
}

function formatDifference(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
