import variant from '@jitl/quickjs-ng-wasmfile-release-sync';
import {
  type EmscriptenModuleLoaderOptions,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';

/** The package's types describe its CommonJS build, where the variant is the `default` property of the export. */
const SYNC_VARIANT = variant as unknown as QuickJSSyncVariant;

/** Small enough that the guest's own limit is reached before the native stack of the worker thread overflows. */
const GUEST_STACK_BYTES = 512 * 1024;

/**
 * What Emscripten would copy into the engine's memory from the process: the script's path and the locale. Addresses would
 * depend on their lengths, and a memory image fits only an engine with the same addresses.
 */
const PROGRAM: EmscriptenModuleLoaderOptions & { thisProgram: string } = { thisProgram: 'reactor' };

export interface QuickJsEngine {
  runtime: QuickJSRuntime;
  context: QuickJSContext;
  memory: WebAssembly.Memory;
}

const PAGE_BYTES = 64 * 1024;
/** Memory that QuickJS requires at start. It suffices to evaluate the prelude. */
const INITIAL_PAGES = 256;
export const INITIAL_MEMORY_BYTES = INITIAL_PAGES * PAGE_BYTES;

/** Creates an engine. The `maximum` of its memory is the limit: QuickJS does not enforce `setMemoryLimit` reliably. */
export async function createEngine(wasmModule: WebAssembly.Module, memoryBytes: number) {
  // Newer versions of Node.js have a `navigator`, whose language Emscripten would read.
  Object.defineProperty(globalThis, 'navigator', { value: undefined, configurable: true });
  const maximum = Math.max(INITIAL_PAGES, Math.floor(memoryBytes / PAGE_BYTES));
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum });
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(SYNC_VARIANT, { wasmModule, wasmMemory: memory, emscriptenModule: PROGRAM }),
  );
  const runtime = module.newRuntime({ maxStackSizeBytes: GUEST_STACK_BYTES });
  return { runtime, context: newSeededContext(runtime), memory };
}

/** Seeds `Math.random`, which QuickJS seeds alike in contexts created within one millisecond. */
function newSeededContext(runtime: QuickJSRuntime): QuickJSContext {
  const { now } = Date;
  Date.now = () => Math.floor(Math.random() * 2 ** 40);
  try {
    return runtime.newContext();
  } finally {
    Date.now = now;
  }
}
