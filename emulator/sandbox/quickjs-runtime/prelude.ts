import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import { readPreludeSource } from './prelude-files.js';

export class GuestError extends Error {
  override readonly name = 'GuestError';
  readonly handle: QuickJSHandle;

  constructor(handle: QuickJSHandle) {
    super('The guest threw.');
    this.handle = handle;
  }
}

/** The functions of `prelude/index.ts`, callable from the host. */
export class Prelude {
  readonly #context: QuickJSContext;
  readonly #functions = new Map<string, QuickJSHandle>();

  constructor(context: QuickJSContext, host: QuickJSHandle, maxOutput: number) {
    this.#context = context;
    const source = `(() => {${readPreludeSource()}; return prelude.boot; })()`;
    const boot = context.unwrapResult(context.evalCode(source, 'node:prelude', { type: 'global' }));
    const limit = context.newNumber(maxOutput);
    const api = context.unwrapResult(context.callFunction(boot, context.undefined, host, limit));
    for (const name of FUNCTION_NAMES) this.#functions.set(name, context.getProp(api, name));
    boot.dispose();
    api.dispose();
  }

  /** Strings are passed as they are, so they must be JSON or free of NUL. */
  call(
    name: (typeof FUNCTION_NAMES)[number],
    ...params: (string | number | boolean | QuickJSHandle)[]
  ): QuickJSHandle {
    const context = this.#context;
    const handles = params.map((param) => toHandle(context, param));
    const result = context.callFunction(
      this.#functions.get(name) as QuickJSHandle,
      context.undefined,
      handles.map(({ handle }) => handle),
    );
    for (const { handle, own } of handles) if (own) handle.dispose();
    return unwrap(result);
  }
}

const FUNCTION_NAMES = [
  'deliver',
  'setSource',
  'describe',
  'loadCommonJs',
  'loadModule',
  'fail',
  'invoke',
  'exportNames',
] as const;

/** @throws GuestError */
function unwrap(result: ReturnType<QuickJSContext['callFunction']>): QuickJSHandle {
  if (result.error) throw new GuestError(result.error);
  return result.value;
}

function toHandle(context: QuickJSContext, param: string | number | boolean | QuickJSHandle) {
  if (typeof param === 'string') return { handle: context.newString(param), own: true };
  if (typeof param === 'number') return { handle: context.newNumber(param), own: true };
  if (typeof param === 'boolean') return { handle: param ? context.true : context.false, own: false };
  return { handle: param, own: false };
}
