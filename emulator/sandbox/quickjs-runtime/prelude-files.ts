import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { QuickJSContext } from 'quickjs-emscripten-core';
import { VisibleError } from '../outcome.js';

/** A function, or an error of the guest. */
export type EvaluationResult = ReturnType<QuickJSContext['evalCode']>;

/** Folder of the built worker, independent of the chunk that this code is bundled into. */
const distDir = (): string => dirname(createRequire(import.meta.url).resolve('#sandbox-worker'));

/**
 * Evaluates a bundled package as a function of `module`, `exports` and `require`.
 * @param name a module name of the contract, checked by the prelude
 */
export function evaluateModule(context: QuickJSContext, name: string): EvaluationResult {
  const code = readFileSync(join(distDir(), `sandbox-modules/${name}.js`), 'utf8');
  return evaluateFactory(context, `node:${name}`, code);
}

/** Evaluates a package that was bundled for the reactor, in the same way. */
export function evaluatePackage(
  context: QuickJSContext,
  name: string,
  code: string | undefined,
): EvaluationResult {
  if (code === undefined) throw new VisibleError(`Cannot find module '${name}'`);
  return evaluateFactory(context, `node_modules/${name}`, code);
}

function evaluateFactory(context: QuickJSContext, fileName: string, code: string): EvaluationResult {
  const source = `(function (module, exports, require) {${code}\n})`;
  return context.evalCode(source, fileName, { type: 'global' });
}
