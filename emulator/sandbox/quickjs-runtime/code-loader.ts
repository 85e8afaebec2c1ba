import { createRequire } from 'node:module';
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core';
import type { Json } from '../../../src/contract/json.js';
import type { LoadError, Position, ThrownError } from '../outcome.js';
import { VisibleError } from '../outcome.js';
import { parseThrownError } from '../runtime/guest-result.js';
import { hasModuleSyntax } from '../runtime/reactor-api.js';
import { GuestError, type Prelude } from './prelude.js';

/** Starts on the first line of the code, so that line numbers stay the same. The prelude corrects the columns of that line. */
const WRAPPER = '(function (exports, require, module, __filename, __dirname) {';
/** The engine counts the columns of the first line from 0. */
const FIRST_COLUMN_SHIFT = -1;

interface LoadTarget {
  runtime: QuickJSRuntime;
  context: QuickJSContext;
  prelude: Prelude;
  fileName: string;
}

/**
 * Loads a reactor as CommonJS or, if it does not parse as such, as an ES module. The prelude reports the result when the top
 * level has run.
 * @returns the load error if the code parses as neither
 */
export function loadCode(target: LoadTarget, code: string): LoadError | undefined {
  installModuleLoader(target);
  const source = code.replace(/^\uFEFF/, '').replace(/^#!/, '//');
  const commonJsError = loadCommonJs(target, source);
  if (!commonJsError) return undefined;
  const moduleError = loadModule(target, source);
  if (!moduleError) return undefined;
  return hasModuleSyntax(source) ? moduleError : commonJsError;
}

/** Evaluates the wrapper. Code that closes it early runs here already; the prelude reports it as a load error. */
function loadCommonJs(target: LoadTarget, source: string): LoadError | undefined {
  const { context, prelude, fileName } = target;
  prelude.call('setSource', fileName, WRAPPER.length + FIRST_COLUMN_SHIFT).dispose();
  const wrapped = `${WRAPPER}${source}\n})`;
  const wrapper = context.evalCode(wrapped, fileName, { type: 'global' });
  if (wrapper.error)
    return wrapper.error.consume((thrown) => createLoadError(describeInGuest(target, thrown), source));
  prelude.call('loadCommonJs', wrapper.value, JSON.stringify(wrapped.slice(1, -1)), fileName).dispose();
  wrapper.dispose();
  return undefined;
}

function loadModule(target: LoadTarget, source: string): LoadError | undefined {
  const { context, prelude, fileName } = target;
  prelude.call('setSource', fileName, FIRST_COLUMN_SHIFT).dispose();
  const compiled = context.evalCode(source, fileName, { type: 'module', compileOnly: true });
  if (compiled.error) return compiled.error.consume((thrown) => handleCompileError(target, thrown, source));
  compiled.dispose();
  const namespace = context.evalCode(source, fileName, { type: 'module' });
  if (namespace.error) prelude.call('fail', namespace.error).dispose();
  else prelude.call('loadModule', namespace.value).dispose();
  namespace.dispose();
  return undefined;
}

/** Compiling a module also resolves its imports. An unknown module is reported as a thrown error, as `require` does. */
function handleCompileError(target: LoadTarget, thrown: QuickJSHandle, source: string) {
  const error = describeInGuest(target, thrown);
  if (error.name === 'SyntaxError' || error.name === 'RangeError') return createLoadError(error, source);
  target.prelude.call('fail', thrown).dispose();
  return undefined;
}

const describeInGuest = ({ prelude, context, fileName }: LoadTarget, thrown: QuickJSHandle): ThrownError =>
  prelude
    .call('describe', thrown)
    .consume((text) => parseThrownError(JSON.parse(context.getString(text)) as Json, fileName));

const createLoadError = ({ message, position }: ThrownError, source: string): LoadError => ({
  kind: 'load-error',
  message: `The code does not parse: ${message}`,
  ...(position && { position: withinCode(position, source) }),
});

/** Returns the end of the code for a position in what follows it in the wrapper: the code lacks something there. */
function withinCode(position: Position, source: string): Position {
  const lines = source.split('\n');
  if (position.line <= lines.length) return position;
  return { ...position, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Makes the modules of `require` available to `import`, as generated modules that re-export each name. */
function installModuleLoader({ runtime, context, prelude }: LoadTarget): void {
  runtime.setModuleLoader(
    (name) => {
      try {
        const json = prelude.call('exportNames', name).consume((handle) => context.getString(handle));
        return createModuleSource(name, JSON.parse(json) as string[]);
      } catch (error) {
        if (error instanceof GuestError) return { error: error.handle };
        return { error: new VisibleError(`Cannot find module '${name}'`) };
      }
    },
    (_base, name) => name,
  );
}

function createModuleSource(name: string, exportNames: string[]): string {
  const names = exportNames.filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default');
  return [
    `const exported = globalThis[Symbol.for('require')](${JSON.stringify(name)});`,
    "export default Object.prototype.toString.call(exported) === '[object Module]' ? exported.default : exported;",
    ...names.map((key, index) => `const v${index} = exported.${key}; export { v${index} as ${key} };`),
  ].join('\n');
}

type ErrorPositions = typeof import('../error-positions/error-locator.js');

const require = createRequire(import.meta.url);

/** Longer texts are cut by the limits of the sandbox anyway. */
const MAX_TEXT_LENGTH = 65_536;

/** Corrects positions in stack traces. Only instances whose code fails load the parser, a file of its own. */
export function createStackCorrector(code: string, fileName: string): (text: string) => string {
  let locator: InstanceType<ErrorPositions['ErrorLocator']> | undefined;
  return (text) => {
    if (text.length > MAX_TEXT_LENGTH || !text.includes(`${fileName}:`)) return text;
    const { ErrorLocator } = require('#sandbox-error-positions') as ErrorPositions;
    locator ??= new ErrorLocator(code, fileName);
    return locator.correct(text);
  };
}
