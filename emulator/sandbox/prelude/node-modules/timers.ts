const NAMES = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
];

/** Creates `require('timers')`: the globals, and `promises`. */
export const createTimersModule = (): object => ({
  ...Object.fromEntries(NAMES.map((name) => [name, Reflect.get(globalThis, name) as unknown])),
  promises: {
    setTimeout: (ms?: number, value?: unknown) => new Promise((resolve) => setTimeout(resolve, ms, value)),
    setImmediate: (value?: unknown) => new Promise((resolve) => setImmediate(resolve, value)),
  },
});
