/**
 * The engine asks this thread's own `Date` for the time and the time zone, so that is where both are set: the emulator's
 * clock, and UTC as on the service, wherever the emulator runs.
 */
const realNow = Date.now;

const PARTS = ['Date', 'Day', 'FullYear', 'Hours', 'Minutes', 'Month', 'Seconds'] as const;

export function setClockOffset(ms: number): void {
  Date.now = () => realNow() + ms;
}

export function useUtc(): void {
  Date.prototype.getTimezoneOffset = () => 0;
  for (const part of PARTS) Date.prototype[`get${part}`] = Date.prototype[`getUTC${part}`];
}
