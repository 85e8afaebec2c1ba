import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core';
import type { Json } from '../../../src/contract/json.js';
import type { ThrownError } from '../outcome.js';
import type { GuestResult } from '../protocol.js';
import { parseThrownError } from '../runtime/thrown-error.js';
import { VisibleError } from '../visible-error.js';
import { GuestError, type Prelude } from './prelude.js';

/** On the first line of the code, so that lines keep their numbers; the prelude subtracts it from that line's columns. */
const WRAPPER = '(function (exports, require, module, __filename, __dirname) {';
const MODULE_SYNTAX = /^\s*(import\b(?!\s*\()|export\b)/m;

interface LoadTarget {
  runtime: QuickJSRuntime;
  context: QuickJSContext;
  prelude: Prelude;
  fileName: string;
}

type LoadError = Extract<GuestResult, { kind: 'load-error' }>;

/**
 * Loads a reactor as CommonJS or, when it does not parse as that, as an ES module, both by the engine itself.
 * Settles through the prelude when the top level has run.
 * @returns a load error when neither parses.
 */
export function loadCode(target: LoadTarget, code: string): LoadError | undefined {
  installModuleLoader(target);
  const source = code.replace(/^\uFEFF/, '').replace(/^#!/, '//');
  const asCommonJs = loadCommonJs(target, source);
  if (!asCommonJs) return undefined;
  const asModule = loadModule(target, source);
  if (!asModule) return undefined;
  return MODULE_SYNTAX.test(source) ? asModule : asCommonJs;
}

/** Evaluating the wrapper runs nothing of the code, unless the code closes the wrapper; that does not parse either. */
function loadCommonJs(target: LoadTarget, source: string): LoadError | undefined {
  const { context, prelude, fileName } = target;
  prelude.call('setSource', fileName, WRAPPER.length).dispose();
  const wrapped = `${WRAPPER}${source}\n})`;
  const wrapper = context.evalCode(wrapped, fileName, { type: 'global' });
  if (wrapper.error)
    return wrapper.error.consume((thrown) => createLoadError(describeInGuest(target, thrown)));
  prelude.call('loadCommonJs', wrapper.value, JSON.stringify(wrapped.slice(1, -1)), fileName).dispose();
  wrapper.dispose();
  return undefined;
}

function loadModule(target: LoadTarget, source: string): LoadError | undefined {
  const { context, prelude, fileName } = target;
  prelude.call('setSource', fileName, 0).dispose();
  const compiled = context.evalCode(source, fileName, { type: 'module', compileOnly: true });
  if (compiled.error) return compiled.error.consume((thrown) => handleCompileError(target, thrown));
  compiled.dispose();
  const namespace = context.evalCode(source, fileName, { type: 'module' });
  if (namespace.error) prelude.call('fail', namespace.error).dispose();
  else prelude.call('loadModule', namespace.value).dispose();
  namespace.dispose();
  return undefined;
}

/** Compiling a module also finds what it imports: that there is no such module is an error of running it. */
function handleCompileError(target: LoadTarget, thrown: QuickJSHandle): LoadError | undefined {
  const error = describeInGuest(target, thrown);
  if (error.name === 'SyntaxError' || error.name === 'RangeError') return createLoadError(error);
  target.prelude.call('fail', thrown).dispose();
  return undefined;
}

const describeInGuest = ({ prelude, context, fileName }: LoadTarget, thrown: QuickJSHandle): ThrownError =>
  prelude
    .call('describe', thrown)
    .consume((text) => parseThrownError(JSON.parse(context.getString(text)) as Json, fileName));

const createLoadError = ({ message, position }: ThrownError): LoadError => ({
  kind: 'load-error',
  message: `The code does not parse: ${message}`,
  ...(position && { position }),
});

/** Lets `import` reach what `require` reaches: a module of one line per name. */
function installModuleLoader({ runtime, context, prelude }: LoadTarget): void {
  const text = (handle: ReturnType<Prelude['call']>) => handle.consume((value) => context.getString(value));
  runtime.setModuleLoader(
    (name) => {
      try {
        const exported = JSON.parse(text(prelude.call('exportNames', name))) as string[];
        return createModuleSource(name, exported);
      } catch (error) {
        if (error instanceof GuestError) return { error: error.handle };
        return { error: new VisibleError(`Cannot find module '${name}'`) };
      }
    },
    (_base, name) => name,
  );
}

function createModuleSource(name: string, exported: string[]): string {
  const names = exported.filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default');
  return [
    `const all = globalThis[Symbol.for('require')](${JSON.stringify(name)});`,
    'export default all;',
    ...names.map((key, index) => `const v${index} = all.${key}; export { v${index} as ${key} };`),
  ].join('\n');
}
