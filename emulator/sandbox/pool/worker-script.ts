import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const requireFromHere = createRequire(import.meta.url);

/** Returns the path of the bundled worker, which is the same when running from the sources and from the installed package. */
export const workerScriptPath = (): string => requireFromHere.resolve('#sandbox-worker');

let compiled: WebAssembly.Module | undefined;

/** Compiles QuickJS once per process (a few milliseconds); the module is shared with every worker. */
export function compileEngine(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(
    readFileSync(requireFromHere.resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm')),
  );
  return compiled;
}
