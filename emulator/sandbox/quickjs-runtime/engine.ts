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

/** A QuickJS runtime with one context. */
export interface QuickJsEngine {
  runtime: QuickJSRuntime;
  context: QuickJSContext;
  memory: WebAssembly.Memory;
}

/**
 * Creates an engine with a memory of its own. The limit is the `maximum` of the WebAssembly memory, because QuickJS does not
 * enforce `setMemoryLimit` reliably.
 */
export async function createEngine(
  wasmModule: WebAssembly.Module,
  memoryBytes: number,
): Promise<QuickJsEngine> {
  hideLocale();
  const memory = takeMemory(memoryBytes);
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(SYNC_VARIANT, { wasmModule, wasmMemory: memory, emscriptenModule: PROGRAM }),
  );
  const runtime = module.newRuntime({ maxStackSizeBytes: GUEST_STACK_BYTES });
  return { runtime, context: runtime.newContext(), memory };
}

/** Newer versions of Node.js have a `navigator`, whose language Emscripten would read. */
function hideLocale(): void {
  Object.defineProperty(globalThis, 'navigator', { value: undefined, configurable: true });
}

// Goal R2: V8 collects all garbage of a thread whenever it has created 64 MB of memories, which is every fourth engine.
// In 50 updates: 14 → 6 collections of 6 to 10 ms.

const PAGE_BYTES = 64 * 1024;
/** Memory that QuickJS requires at start. */
const INITIAL_PAGES = 256;

const ZEROS = new Uint8Array(PAGE_BYTES);

/** The memory of an engine of this thread that is no longer used. */
let released: WebAssembly.Memory | undefined;

/**
 * Returns a memory that holds zeros.
 * @param maximumBytes to which it can grow; the same in all calls of a thread
 */
export function takeMemory(maximumBytes: number): WebAssembly.Memory {
  const memory = released;
  released = undefined;
  if (memory) {
    erase(memory);
    return memory;
  }
  const maximum = Math.max(INITIAL_PAGES, Math.floor(maximumBytes / PAGE_BYTES));
  return new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum });
}

/** Lets the next engine have a memory, unless it has grown. Nothing may enter its engine any more. */
export function releaseMemory(memory: WebAssembly.Memory): void {
  if (memory.buffer.byteLength === INITIAL_PAGES * PAGE_BYTES) released = memory;
}

/** Does not write to pages that were never used, which would make the system provide them. */
function erase({ buffer }: WebAssembly.Memory): void {
  for (let address = 0; address < buffer.byteLength; address += PAGE_BYTES) {
    const page = new Uint8Array(buffer, address, PAGE_BYTES);
    if (Buffer.compare(page, ZEROS) !== 0) page.fill(0);
  }
}
