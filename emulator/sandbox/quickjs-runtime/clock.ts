// QuickJS reads the time and the time zone from this thread's `Date`, so both are set there.

const realNow = Date.now;

const GETTERS = ['Date', 'Day', 'FullYear', 'Hours', 'Minutes', 'Month', 'Seconds'] as const;

/** Sets the difference between the machine's clock and `Date`. Milliseconds. */
export function setClockOffset(ms: number): void {
  Date.now = () => realNow() + ms;
}

/** Makes `Date` report UTC as the local time zone, as on the service. */
export function useUtc(): void {
  Date.prototype.getTimezoneOffset = () => 0;
  for (const part of GETTERS) Date.prototype[`get${part}`] = Date.prototype[`getUTC${part}`];
}
