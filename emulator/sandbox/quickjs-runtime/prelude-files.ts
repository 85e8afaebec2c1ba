import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';

/** Folder of the built worker, independent of the chunk that this code is bundled into. */
const distDir = dirname(createRequire(import.meta.url).resolve('#sandbox-worker'));

const readBuiltFile = (file: string): string => readFileSync(join(distDir, file), 'utf8');

/** Reads the bundled prelude, which .config/build-sandbox.js builds. */
export const readPreludeSource = (): string => readBuiltFile('sandbox-prelude.js');

/**
 * Evaluates a bundled package as a function of `module`, `exports` and `require`.
 * @param name a module name of the contract, checked by the prelude
 */
export function evaluateModule(context: QuickJSContext, name: string): QuickJSHandle {
  const source = `(function (module, exports, require) {${readBuiltFile(`sandbox-modules/${name}.js`)}\n})`;
  return context.unwrapResult(context.evalCode(source, `node:${name}`, { type: 'global' }));
}
