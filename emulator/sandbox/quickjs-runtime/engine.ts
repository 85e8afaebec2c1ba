import variant from '@jitl/quickjs-ng-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';

/** The package's types describe its CommonJS build, in which the variant is one level deeper. */
const SYNC_VARIANT = variant as unknown as QuickJSSyncVariant;

const PAGE_BYTES = 64 * 1024;
/** What the engine asks for when it starts. */
const INITIAL_PAGES = 256;
/** Less than half of the native stack of the worker thread, whatever the frames cost there. */
const GUEST_STACK_BYTES = 512 * 1024;

export interface QuickJsEngine {
  runtime: QuickJSRuntime;
  context: QuickJSContext;
  memory: WebAssembly.Memory;
}

/**
 * One engine with a memory of its own. `setMemoryLimit` of QuickJS does not hold, a `maximum` of the memory does: the
 * engine's allocator fails when it is reached.
 */
export async function createEngine(
  wasmModule: WebAssembly.Module,
  memoryBytes: number,
): Promise<QuickJsEngine> {
  const maximum = Math.max(INITIAL_PAGES, Math.floor(memoryBytes / PAGE_BYTES));
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum });
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(SYNC_VARIANT, { wasmModule, wasmMemory: memory }),
  );
  const runtime = module.newRuntime({ maxStackSizeBytes: GUEST_STACK_BYTES });
  return { runtime, context: runtime.newContext(), memory };
}
