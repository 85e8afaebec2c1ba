import { createArgumentError, describeReceived, handlers, host } from '../bridge/host.js';

type Callback = (...args: unknown[]) => void;

/** Result of `setTimeout`: as in Node.js, an object that converts to a number. */
class Timeout {
  readonly #id: number;

  constructor(id: number) {
    this.#id = id;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  [Symbol.toPrimitive](): number {
    return this.#id;
  }
}

function assertCallback(callback: unknown): Callback {
  if (typeof callback === 'function') return callback as Callback;
  throw createArgumentError(
    `The "callback" argument must be of type function. ${describeReceived(callback)}`,
  );
}

function start(callback: unknown, ms: unknown, repeat: boolean, args: unknown[]): Timeout {
  const run = assertCallback(callback);
  const id = host.setTimer(Math.max(1, Number(ms) || 1), repeat);
  handlers.set(id, () => {
    if (!repeat) handlers.delete(id);
    run(...args);
  });
  return new Timeout(id);
}

function clear(timer: unknown): void {
  if (timer === undefined || timer === null) return;
  const id = Number(timer);
  host.clearTimer(id);
  handlers.delete(id);
}

/** What `promisify` returns for the timers, and `require('timers').promises` has. */
export const promises = {
  setTimeout: (ms?: number, value?: unknown) => new Promise((resolve) => start(resolve, ms, false, [value])),
  setImmediate: (value?: unknown) => new Promise((resolve) => start(resolve, 0, false, [value])),
};

const promisable = <T extends object>(timer: T, promisified: object): T =>
  Object.defineProperty(timer, Symbol.for('nodejs.util.promisify.custom'), { value: promisified });

/** The global functions, which are also those of `require('timers')`. */
export const timers = {
  setTimeout: promisable(
    (callback: unknown, ms?: unknown, ...args: unknown[]) => start(callback, ms, false, args),
    promises.setTimeout,
  ),
  setInterval: (callback: unknown, ms?: unknown, ...args: unknown[]) => start(callback, ms, true, args),
  setImmediate: promisable(
    (callback: unknown, ...args: unknown[]) => start(callback, 0, false, args),
    promises.setImmediate,
  ),
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
};
