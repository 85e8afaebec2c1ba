import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';

/** Beside the worker, in whichever chunk this code ended up. */
const distDir = dirname(createRequire(import.meta.url).resolve('#sandbox-worker'));

const readBuiltFile = (file: string): string => readFileSync(join(distDir, file), 'utf8');

/** Built beside the worker by .config/build.js. */
export const readPreludeSource = (): string => readBuiltFile('sandbox-prelude.js');

/** The function around a package that reactor code may require; `name` comes from the prelude's own table. */
export function evaluateModule(context: QuickJSContext, name: string): QuickJSHandle {
  const source = `(function (module, exports, require) {${readBuiltFile(`sandbox-modules/${name}.js`)}\n})`;
  return context.unwrapResult(context.evalCode(source, `node:${name}`, { type: 'global' }));
}
