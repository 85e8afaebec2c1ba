import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';

/** Folder of the built worker, independent of the chunk that this code is bundled into. */
const distDir = (): string => dirname(createRequire(import.meta.url).resolve('#sandbox-worker'));

/**
 * Evaluates a bundled package as a function of `module`, `exports` and `require`.
 * @param name a module name of the contract, checked by the prelude
 */
export function evaluateModule(context: QuickJSContext, name: string): QuickJSHandle {
  const code = readFileSync(join(distDir(), `sandbox-modules/${name}.js`), 'utf8');
  const source = `(function (module, exports, require) {${code}\n})`;
  return context.unwrapResult(context.evalCode(source, `node:${name}`, { type: 'global' }));
}
