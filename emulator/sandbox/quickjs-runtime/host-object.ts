import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import type { Json } from '../../../src/contract/json.js';
import { callHostFunction } from '../host/functions.js';
import type { ConsoleEntry } from '../invocation.js';
import { VisibleError } from '../outcome.js';
import type { PendingCalls } from './pending-calls.js';
import { readBytes, writeBytes } from './prelude.js';

/** Returns a value, nothing, or an error of the guest. */
type HostMethod = (...handles: QuickJSHandle[]) => QuickJSHandle | EvaluationResult | undefined;

/** What the functions of the host need. */
interface HostServices {
  pendingCalls: PendingCalls;
  /** Receives the result of the current load or call. */
  settle(kind: string, json: string | undefined): void;
  /** Returns the code of a bundled package. */
  findPackage(name: string): string | undefined;
  /** Corrects the positions in a text that may contain stack traces. */
  correctStack(text: string): string;
}

/** Creates the object that implements `Host` (`prelude/bridge/host.ts`), the only way from the guest to the host. */
export function createHostObject(
  context: QuickJSContext,
  { pendingCalls, settle, findPackage, correctStack }: HostServices,
): QuickJSHandle {
  const readText = (handle: QuickJSHandle | undefined) => (handle ? context.getString(handle) : '');
  const readNumber = (handle: QuickJSHandle | undefined) => (handle ? context.getNumber(handle) : 0);
  const readInput = (handle: QuickJSHandle | undefined) => JSON.parse(readText(handle)) as Json;
  const hideError = (error: unknown) =>
    error instanceof VisibleError ? error : pendingCalls.services.hideError(error);
  const methods: Record<string, HostMethod> = {
    settle: (kind, json) => void settle(readText(kind), json && readText(json)),
    log: (level, json) =>
      void pendingCalls.services.console(
        readText(level) as ConsoleEntry['level'],
        correctStack(String(readInput(json))),
      ),
    callSync: (name, json, bytes) => {
      const result = callHostFunction(readText(name), readText(json), readBytes(context, bytes));
      return result instanceof Uint8Array
        ? writeBytes(context, result)
        : context.newString(JSON.stringify(result));
    },
    startCall: (name, json, bytes) =>
      context.newNumber(pendingCalls.start(readText(name), readInput(json), readBytes(context, bytes))),
    cancelCall: (id) => void pendingCalls.cancel(readNumber(id)),
    setTimer: (ms, repeat) =>
      context.newNumber(pendingCalls.setTimer(readNumber(ms), context.dump(repeat) === true)),
    clearTimer: (id) => void pendingCalls.clearTimer(readNumber(id)),
    loadPackage: (name) => evaluatePackage(context, readText(name), findPackage(readText(name))),
  };
  const object = context.newObject();
  for (const [name, method] of Object.entries(methods))
    context
      .newFunction(name, (...handles) => {
        try {
          return method(...handles);
        } catch (error) {
          throw hideError(error);
        }
      })
      .consume((handle) => context.setProp(object, name, handle));
  return object;
}

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

/** A function, or an error of the guest. */
type EvaluationResult = ReturnType<QuickJSContext['evalCode']>;

/** Evaluates a package that was bundled for the reactor, as a function of `module`, `exports` and `require`. */
function evaluatePackage(context: QuickJSContext, name: string, code: string | undefined): EvaluationResult {
  if (code === undefined) throw new VisibleError(`Cannot find module '${name}'`);
  const source = `(function (module, exports, require) {${code}\n})`;
  return context.evalCode(source, `node_modules/${name}`, { type: 'global' });
}
