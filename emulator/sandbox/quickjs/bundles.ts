import { readFileSync } from 'node:fs';
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

/** Built beside the worker by .config/build.js. */
export const preludeSource = (): string => read('./sandbox-prelude.js');

/** The function around a package that reactor code may require; `name` comes from the prelude's own table. */
export function evaluateModule(context: QuickJSContext, name: string): QuickJSHandle {
  const source = `(function (module, exports, require) {${read(`./sandbox-modules/${name}.js`)}\n})`;
  return context.unwrapResult(context.evalCode(source, `node:${name}`, { type: 'global' }));
}
