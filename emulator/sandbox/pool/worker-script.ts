import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const packages = createRequire(import.meta.url);

/** The bundled worker, the same file from the sources and from the installed package. */
export const workerScriptPath = (): string => packages.resolve('#sandbox-worker');

let compiled: WebAssembly.Module | undefined;

/** The engine, compiled once per process (a few milliseconds) and handed to every worker. */
export function compiledEngine(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(
    readFileSync(packages.resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm')),
  );
  return compiled;
}
