import type fc from 'fast-check';

/** Wraps an object so that the named calls begin, and their results arrive, in the order that a scheduler chooses. */
export const scheduled = <T extends object>(
  scheduler: fc.Scheduler,
  wrapped: T,
  names: readonly string[],
  own: Partial<T> = {},
): T =>
  new Proxy(wrapped, {
    get(target, name) {
      const value = name in own ? own[name as keyof T] : Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (!names.includes(String(name))) return value.bind(target);
      return async (...args: unknown[]) => {
        await scheduler.schedule(Promise.resolve(), `${String(name)} begins`);
        const result = await value.apply(target, args);
        await scheduler.schedule(Promise.resolve(), `${String(name)} ends`);
        return result;
      };
    },
  });
