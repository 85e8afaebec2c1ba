import { type QuickJSContext, type QuickJSHandle, Scope } from 'quickjs-emscripten-core';
import type { PreludeTarget } from './memory-image.js';

/** An exception of the guest that the host has not handled. The handle must be disposed. */
export class GuestError extends Error {
  override readonly name = 'GuestError';

  constructor(readonly handle: QuickJSHandle) {
    super('The guest threw.');
  }
}

/** Evaluates the bundled prelude (`prelude/index.ts`) once; all engines restore what it did to the memory. */
export function bootPrelude(
  context: QuickJSContext,
  source: string,
  { host, api }: Pick<PreludeTarget, 'host' | 'api'>,
): void {
  const wrapped = `(function (preludeHost, preludeApi) {${source}})`;
  const boot = context.unwrapResult(context.evalCode(wrapped, 'node:prelude', { type: 'global' }));
  context.unwrapResult(context.callFunction(boot, context.undefined, host, api)).dispose();
  boot.dispose();
}

/** Calls functions of the prelude, which it has put into `api`. */
export class Prelude {
  constructor(
    private readonly context: QuickJSContext,
    private readonly api: QuickJSHandle,
  ) {}

  /** Calls a function. Strings must be JSON or free of NUL. @throws GuestError */
  call(name: string, ...params: (string | number | boolean | QuickJSHandle)[]): QuickJSHandle {
    return Scope.withScope((scope) => {
      const handles = params.map((param) =>
        typeof param === 'object' ? param : scope.manage(this.#toHandle(param)),
      );
      const result = this.context.callMethod(this.api, name, handles);
      if (result.error) throw new GuestError(result.error);
      return result.value;
    });
  }

  #toHandle(param: string | number | boolean): QuickJSHandle {
    if (typeof param === 'string') return this.context.newString(param);
    if (typeof param === 'number') return this.context.newNumber(param);
    return param ? this.context.true : this.context.false;
  }
}

/** Copies an ArrayBuffer of the guest; undefined if the handle is not an object. */
export function readBytes(context: QuickJSContext, handle: QuickJSHandle | undefined) {
  if (!handle || context.typeof(handle) !== 'object') return undefined;
  return context.getArrayBuffer(handle).consume((view) => view.value.slice());
}

/** Copies bytes into the guest. The inner copy is needed because a Node.js Buffer may share its ArrayBuffer with other data. */
export const writeBytes = (context: QuickJSContext, bytes: Uint8Array): QuickJSHandle =>
  context.newArrayBuffer(new Uint8Array(bytes).buffer);
