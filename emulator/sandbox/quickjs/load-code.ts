import type { QuickJSContext, QuickJSRuntime } from 'quickjs-emscripten-core';
import type { Json } from '../outcome.js';
import type { GuestResult } from '../protocol.js';
import { thrownError } from '../thrown-error.js';
import { VisibleError } from '../visible-error.js';
import { GuestError, type Prelude, unwrap } from './prelude.js';

/** On the first line of the code, so that lines keep their numbers; the prelude subtracts it from that line's columns. */
const WRAPPER = '(function (exports, require, module, __filename, __dirname) {';
const MODULE_SYNTAX = /^\s*(import\b(?!\s*\()|export\b)/m;

/**
 * Loads a reactor as CommonJS or, when it does not parse as that, as an ES module, both by the engine itself.
 * Settles through the prelude when the top level has run.
 * @returns a load error when neither parses.
 */
export function loadCode(
  runtime: QuickJSRuntime,
  context: QuickJSContext,
  prelude: Prelude,
  code: string,
  fileName: string,
): GuestResult | undefined {
  const source = code.replace(/^\uFEFF/, '').replace(/^#!/, '//');
  prelude.call('setSource', fileName, WRAPPER.length).dispose();
  const asCommonJs = syntaxErrorOf(context, prelude, fileName, () =>
    loadCommonJs(context, prelude, source, fileName),
  );
  if (!asCommonJs) return undefined;
  prelude.call('setSource', fileName, 0).dispose();
  installModuleLoader(runtime, context, prelude);
  const asModule = syntaxErrorOf(context, prelude, fileName, () =>
    loadModule(context, prelude, source, fileName),
  );
  if (!asModule) return undefined;
  return MODULE_SYNTAX.test(source) ? asModule : asCommonJs;
}

function loadCommonJs(context: QuickJSContext, prelude: Prelude, source: string, fileName: string): void {
  const wrapped = `${WRAPPER}${source}\n})`;
  const wrapper = unwrap(context.evalCode(wrapped, fileName, { type: 'global' }));
  prelude.call('loadCommonJs', wrapper, JSON.stringify(wrapped.slice(1, -1)), fileName).dispose();
  wrapper.dispose();
}

function loadModule(context: QuickJSContext, prelude: Prelude, source: string, fileName: string): void {
  unwrap(context.evalCode(source, fileName, { type: 'module', compileOnly: true })).dispose();
  const namespace = context.evalCode(source, fileName, { type: 'module' });
  if (namespace.error) prelude.call('fail', namespace.error).dispose();
  else prelude.call('loadModule', namespace.value).dispose();
  namespace.dispose();
}

/** @returns a load error when `load` threw a SyntaxError; any other error is what the code threw. */
function syntaxErrorOf(
  context: QuickJSContext,
  prelude: Prelude,
  fileName: string,
  load: () => void,
): GuestResult | undefined {
  try {
    load();
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof GuestError)) throw thrown;
    const described = prelude.call('describe', thrown.handle);
    const error = thrownError(JSON.parse(context.getString(described)) as Json, fileName);
    described.dispose();
    if (error.name === 'SyntaxError') {
      thrown.handle.dispose();
      const { message, position } = error;
      return {
        kind: 'load-error',
        message: `The code does not parse: ${message}`,
        ...(position && { position }),
      };
    }
    prelude.call('fail', thrown.handle).dispose();
    thrown.handle.dispose();
    return undefined;
  }
}

/** Lets `import` reach what `require` reaches: a module of one line per name. */
function installModuleLoader(runtime: QuickJSRuntime, context: QuickJSContext, prelude: Prelude): void {
  const text = (handle: ReturnType<Prelude['call']>) => handle.consume((value) => context.getString(value));
  runtime.setModuleLoader(
    (name) => {
      try {
        const exported = JSON.parse(text(prelude.call('exportNames', name))) as string[];
        return bridge(name, exported);
      } catch (error) {
        if (error instanceof GuestError) return { error: error.handle };
        return { error: new VisibleError(`Cannot find module '${name}'`) };
      }
    },
    (_base, name) => text(prelude.call('resolve', name)),
  );
}

function bridge(name: string, exported: string[]): string {
  const names = exported.filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default');
  return [
    `const all = globalThis[Symbol.for('require')](${JSON.stringify(name)});`,
    'export default all;',
    ...names.map((key, index) => `const v${index} = all.${key}; export { v${index} as ${key} };`),
  ].join('\n');
}
