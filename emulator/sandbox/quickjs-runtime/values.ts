import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import type { Json } from '../../../src/contract/json.js';

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
