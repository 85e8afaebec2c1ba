import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import type { Json } from '../../../src/contract/json.js';

/** Strings cross the boundary as JSON: the engine's C strings would end at a NUL and lose lone surrogates. */
export const readJson = (context: QuickJSContext, handle: QuickJSHandle): Json =>
  JSON.parse(context.getString(handle)) as Json;

/** A copy of an ArrayBuffer of the guest; undefined when the handle is none. */
export function readBytes(
  context: QuickJSContext,
  handle: QuickJSHandle | undefined,
): Uint8Array | undefined {
  if (!handle || context.typeof(handle) !== 'object') return undefined;
  return context.getArrayBuffer(handle).consume((view) => view.value.slice());
}

/** Copied first: a Buffer of Node.js may share its memory with others, and the engine takes all of it. */
export const writeBytes = (context: QuickJSContext, bytes: Uint8Array): QuickJSHandle =>
  context.newArrayBuffer(new Uint8Array(bytes).buffer);
