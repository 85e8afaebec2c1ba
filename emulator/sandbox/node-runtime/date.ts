/**
 * Replaces the global `Date` by one that shows the emulator's clock.
 * @returns sets how far that is from the machine's, in milliseconds.
 */
export function installDate(): (offsetMs: number) => void {
  const Machine = Date;
  let offset = 0;
  const now = () => Machine.now() + offset;
  globalThis.Date = new Proxy(Machine, {
    apply: () => new Machine(now()).toString(),
    construct: (target, args: [], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
  });
  return (offsetMs) => {
    offset = offsetMs;
  };
}
