import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import type { Json } from '../../../src/contract/json.js';
import { callHostFunction } from '../host/registry.js';
import type { ConsoleEntry } from '../invocation.js';
import { toVisibleFields, VisibleError } from '../visible-error.js';
import type { PendingCalls } from './pending-calls.js';
import { evaluateModule } from './prelude-files.js';
import { readBytes, readJson, writeBytes } from './values.js';

type HostMethod = (...handles: QuickJSHandle[]) => QuickJSHandle | undefined;

/** The object that the prelude gets (`prelude/host.ts`): the only way from the guest to the host. */
export function createHostObject(
  context: QuickJSContext,
  pending: PendingCalls,
  settle: (kind: string, json: string | undefined) => void,
): QuickJSHandle {
  const string = (handle: QuickJSHandle | undefined) => (handle ? context.getString(handle) : '');
  const number = (handle: QuickJSHandle | undefined) => (handle ? context.getNumber(handle) : 0);
  const input = (handle: QuickJSHandle | undefined): Json => (handle ? readJson(context, handle) : null);
  const functions: Record<string, HostMethod> = {
    settle: (kind, json) => void settle(string(kind), json && string(json)),
    log: (level, json) =>
      void pending.services.console(string(level) as ConsoleEntry['level'], String(input(json))),
    sync: (name, json, bytes) => {
      const answer = toSyncResult(() =>
        callHostFunction(string(name), input(json), readBytes(context, bytes)),
      );
      return answer instanceof Uint8Array
        ? writeBytes(context, answer)
        : context.newString(JSON.stringify(answer));
    },
    start: (name, json, bytes) =>
      context.newNumber(pending.start(string(name), input(json), readBytes(context, bytes))),
    cancel: (call) => void pending.cancel(number(call)),
    setTimer: (ms, repeat) => context.newNumber(pending.setTimer(number(ms), context.dump(repeat) === true)),
    clearTimer: (timer) => void pending.clearTimer(number(timer)),
    module: (name) => evaluateModule(context, string(name)),
  };
  const object = context.newObject();
  for (const [name, implementation] of Object.entries(functions)) {
    context
      .newFunction(name, (...handles) => withVisibleErrors(() => implementation(...handles)))
      .consume((handle) => context.setProp(object, name, handle));
  }
  return object;
}

/** An error as data: only in the guest can it become an error of the guest's own classes. */
function toSyncResult(operation: () => Json | Uint8Array): Uint8Array | { value: Json } | { error: object } {
  try {
    const value = operation();
    return value instanceof Uint8Array ? value : { value };
  } catch (error) {
    return { error: toVisibleFields(error) };
  }
}

/** For what else goes wrong: too many timers, a module that is not there. */
function withVisibleErrors<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof VisibleError ? error : new Error('The call failed.');
  }
}
