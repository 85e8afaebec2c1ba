import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import type { GuestResult } from '../protocol.js';
import { reactorErrors } from '../runtime/reactor-errors.js';

type LoadError = Extract<GuestResult, { kind: 'load-error' }>;

/** The code parses neither as CommonJS nor as an ES module. */
export class LoadFailure extends Error {
  readonly result: LoadError;

  constructor(result: LoadError) {
    super(result.message);
    this.result = result;
  }
}

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];
const MODULE_SYNTAX = /^\s*(import\b(?!\s*\()|export\b)/m;
/** The service's own module, which no package provides. */
const ERRORS_MODULE = 'svc-reactor-errors';

/** Loads reactor code in Node.js; packages are found as from a file in `modulesDir`. */
export class CodeLoader {
  readonly #directory: string;
  readonly #require: NodeJS.Require;

  constructor(modulesDir = process.cwd()) {
    this.#directory = modulesDir;
    this.#require = createRequire(join(modulesDir, 'reactor.js'));
  }

  /** @returns what the code exports. @throws NoSyntaxError, and what the code throws. */
  async load(code: string, fileName: string): Promise<unknown> {
    try {
      return this.#loadCommonJs(code, fileName);
    } catch (asCommonJs) {
      if (!isSyntaxError(asCommonJs, fileName)) throw asCommonJs;
      return await this.#loadModule(code, fileName, asCommonJs);
    }
  }

  #loadCommonJs(code: string, fileName: string): unknown {
    const wrapper = vm.compileFunction(code.replace(/^#!/, '//'), PARAMETERS, {
      filename: fileName,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    const module = { exports: {} as unknown };
    const require = Object.assign(
      (name: string): unknown => (name === ERRORS_MODULE ? reactorErrors : this.#require(name)),
      this.#require,
    );
    wrapper.call(module.exports, module.exports, require, module, fileName, this.#directory);
    return module.exports;
  }

  async #loadModule(code: string, fileName: string, asCommonJs: SyntaxError): Promise<unknown> {
    let module: vm.SourceTextModule;
    try {
      module = new vm.SourceTextModule(code, { identifier: fileName });
    } catch (error) {
      const relevant = MODULE_SYNTAX.test(code) ? (error as Error) : asCommonJs;
      throw new LoadFailure(createLoadError(relevant, fileName));
    }
    await module.link((name) => this.#createDependency(name, module.context));
    await module.evaluate();
    return module.namespace;
  }

  async #createDependency(name: string, context: vm.Context | undefined): Promise<vm.Module> {
    const exported: object =
      name === ERRORS_MODULE ? { ...reactorErrors, default: reactorErrors } : await this.#import(name);
    const names = Object.keys(exported);
    const synthetic = new vm.SyntheticModule(
      names,
      () => {
        for (const key of names) synthetic.setExport(key, (exported as Record<string, unknown>)[key]);
      },
      { identifier: name, ...(context && { context }) },
    );
    return synthetic;
  }

  #import(name: string): Promise<object> {
    return import(
      isBuiltin(name) ? name : pathToFileURL(this.#require.resolve(name)).href
    ) as Promise<object>;
  }
}

/** A SyntaxError of the file itself, not one that its code threw. */
const isSyntaxError = (error: unknown, fileName: string): error is SyntaxError =>
  error instanceof SyntaxError && (error.stack ?? '').startsWith(`${fileName}:`);

/** V8 writes the position before the message: `file:line`, the line, and a caret under the column; for ES modules it does not. */
function createLoadError({ message, stack = '' }: Error, fileName: string): LoadError {
  const [first = '', , caret = ''] = stack.split('\n');
  const line = first.startsWith(`${fileName}:`) ? Number(first.slice(fileName.length + 1)) : 0;
  const position = { file: fileName, line, column: caret.indexOf('^') + 1 };
  return {
    kind: 'load-error',
    message: `The code does not parse: ${message}`,
    ...(line > 0 && { position }),
  };
}
