import { createArgumentError, describeReceived } from '../bridge/argument-error.js';
import type { Host } from '../bridge/host.js';
import { onTimer, removeHandler } from '../bridge/host-bridge.js';

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

/** Creates `setTimeout`, `setInterval`, `setImmediate` and their `clear` functions. */
export function createTimers(host: Host): Record<string, unknown> {
  const set = (callback: unknown, ms: unknown, repeat: boolean, args: unknown[]): Timeout => {
    const run = assertCallback(callback);
    const id = host.setTimer(Math.max(1, Number(ms) || 1), repeat);
    onTimer(id, () => {
      if (!repeat) removeHandler(id);
      run(...args);
    });
    return new Timeout(id);
  };
  const clear = (timer: unknown): void => {
    if (timer === undefined || timer === null) return;
    const id = Number(timer);
    host.clearTimer(id);
    removeHandler(id);
  };
  const promisable = <T extends object>(timer: T, later: (...args: never[]) => Promise<unknown>): T =>
    Object.defineProperty(timer, Symbol.for('nodejs.util.promisify.custom'), { value: later });
  return {
    setTimeout: promisable(
      (callback: unknown, ms?: unknown, ...args: unknown[]) => set(callback, ms, false, args),
      (ms: number, value: unknown) => new Promise((resolve) => set(resolve, ms, false, [value])),
    ),
    setInterval: (callback: unknown, ms?: unknown, ...args: unknown[]) => set(callback, ms, true, args),
    setImmediate: promisable(
      (callback: unknown, ...args: unknown[]) => set(callback, 0, false, args),
      (value: unknown) => new Promise((resolve) => set(resolve, 0, false, [value])),
    ),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  };
}
