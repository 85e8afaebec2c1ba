/**
 * Replaces the global `Date` with one that follows the emulator's clock.
 * @returns a function that sets the difference to the machine's clock, in milliseconds
 */
export function installDate(): (offsetMs: number) => void {
  const RealDate = Date;
  let offset = 0;
  const now = () => RealDate.now() + offset;
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, args: [], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
  });
  return (offsetMs) => {
    offset = offsetMs;
  };
}
