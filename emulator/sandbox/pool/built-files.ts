import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { EngineFiles } from '../protocol.js';

// Built by .config/build-sandbox.js; the paths are the same when running from the sources and from the installed package.

/** Path of the bundled worker. */
export const workerScriptPath = (): string => createRequire(import.meta.url).resolve('#sandbox-worker');

let engine: Promise<EngineFiles> | undefined;

/** Loads the engine, once per process: the first call decides when V8 optimizes it. */
export function loadEngine(optimizesLate = false): Promise<EngineFiles> {
  engine ??= readEngine(
    dirname(workerScriptPath()),
    optimizesLate ? compileOptimizedLate : WebAssembly.compile,
  );
  return engine;
}

async function readEngine(
  directory: string,
  compile: (bytes: Uint8Array) => Promise<WebAssembly.Module>,
): Promise<EngineFiles> {
  const compiled = readFile(join(directory, 'sandbox-engine.wasm')).then((bytes) => compile(bytes));
  const bytes = await readFile(join(directory, 'sandbox-image.bin'));
  const image = new Uint8Array(new SharedArrayBuffer(bytes.length));
  image.set(bytes);
  return { wasmModule: await compiled, image };
}

// V8 optimizes a WebAssembly function once it has executed a number of bytes of its code. The interpreter of QuickJS gets there
// while it loads one reactor, and optimizing it takes as much processor time as the rest of a command. Goal S2 with
// `reactor plan`: 450 → 270 ms of processor time, with later versions by a quarter; `reactor run`: 490 → 350 ms. A reactor
// that computes for two seconds takes as long as before.

/** For the first optimization of each function. Bytes. */
const LATE_BUDGET = 100_000_000;

/** The budgets of V8 by major version of Node.js; V8 does not tell its own. Bytes. */
const USUAL_BUDGETS: Readonly<Record<string, number>> = {
  20: 1_800_000,
  22: 13_000_000,
  24: 13_000_000,
  25: 13_000_000,
  26: 13_000_000,
};

const setBudget = (bytes: number): void => setFlagsFromString(`--wasm-tiering-budget=${bytes}`);

/**
 * Compiles a module that most processes run for milliseconds only. In versions of Node.js that are not listed above, whose V8
 * may not know the option, it is compiled as usual.
 */
export async function compileOptimizedLate(
  bytes: Uint8Array,
  nodeVersion = process.versions.node,
): Promise<WebAssembly.Module> {
  const usual = USUAL_BUDGETS[nodeVersion.split('.')[0] ?? ''];
  if (usual === undefined) return WebAssembly.compile(bytes);
  // The module keeps the budget that it is compiled with. Not asynchronously: scripts that are loaded in between would not
  // be taken from the code cache, which is bound to V8's options.
  setBudget(LATE_BUDGET);
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    setBudget(usual);
  }
}
