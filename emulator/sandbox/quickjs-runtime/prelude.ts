import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import type { Json } from '../../../src/contract/json.js';
import type { PreludeTarget } from './memory-image.js';

/** An exception of the guest that the host has not handled. The handle must be disposed. */
export class GuestError extends Error {
  override readonly name = 'GuestError';
  readonly handle: QuickJSHandle;

  constructor(handle: QuickJSHandle) {
    super('The guest threw.');
    this.handle = handle;
  }
}

/**
 * Evaluates the prelude (`prelude/index.ts`), once for all engines: the others restore what it did to the memory.
 * @param source the bundled prelude, which .config/build-sandbox.ts builds
 */
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

/** The functions of a prelude that was booted. */
export class Prelude {
  readonly #context: QuickJSContext;
  readonly #functions = new Map<string, QuickJSHandle>();

  /** @param api the object that the prelude filled */
  constructor(context: QuickJSContext, api: QuickJSHandle) {
    this.#context = context;
    for (const name of FUNCTION_NAMES) this.#functions.set(name, context.getProp(api, name));
  }

  /**
   * Calls a function of the prelude. Strings must be JSON or free of NUL.
   * @throws GuestError
   */
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
    for (const { handle, isTemporary } of handles) if (isTemporary) handle.dispose();
    return unwrap(result);
  }
}

const FUNCTION_NAMES = [
  'deliver',
  'setSource',
  'setNames',
  'setPackages',
  'describe',
  'loadCommonJs',
  'loadModule',
  'fail',
  'invoke',
  'exportNames',
] as const;

function unwrap(result: ReturnType<QuickJSContext['callFunction']>): QuickJSHandle {
  if (result.error) throw new GuestError(result.error);
  return result.value;
}

function toHandle(context: QuickJSContext, param: string | number | boolean | QuickJSHandle) {
  if (typeof param === 'string') return { handle: context.newString(param), isTemporary: true };
  if (typeof param === 'number') return { handle: context.newNumber(param), isTemporary: true };
  if (typeof param === 'boolean') return { handle: param ? context.true : context.false, isTemporary: false };
  return { handle: param, isTemporary: false };
}

/** Reads a value that the guest passed as JSON. Plain strings would end at a NUL and lose lone surrogates. */
export const readJson = (context: QuickJSContext, handle: QuickJSHandle): Json =>
  JSON.parse(context.getString(handle)) as Json;

/** Copies an ArrayBuffer of the guest; undefined if the handle is not an object. */
export function readBytes(
  context: QuickJSContext,
  handle: QuickJSHandle | undefined,
): Uint8Array | undefined {
  if (!handle || context.typeof(handle) !== 'object') return undefined;
  return context.getArrayBuffer(handle).consume((view) => view.value.slice());
}

/** Copies bytes into the guest. The inner copy is needed because a Node.js Buffer may share its ArrayBuffer with other data. */
export const writeBytes = (context: QuickJSContext, bytes: Uint8Array): QuickJSHandle =>
  context.newArrayBuffer(new Uint8Array(bytes).buffer);
