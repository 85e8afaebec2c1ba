import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { REACTOR_PACKAGES } from '../../../src/contract/reactor-runtime.js';
import type { LoadError } from '../outcome.js';
import { hasModuleSyntax, reactorErrors } from '../runtime/reactor-api.js';

/** Thrown when code parses neither as CommonJS nor as an ES module. */
export class LoadFailure extends Error {
  constructor(readonly result: LoadError) {
    super(result.message);
  }
}

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];
/** The service's own module. No package provides it. */
const ERRORS_MODULE = 'svc-reactor-errors';

/** Loads reactor code in Node.js. Packages are resolved as from a file in `modulesDir`. */
export class CodeLoader {
  readonly #directory: string;
  readonly #require: NodeJS.Require;

  /** @param aliases names of modules, and the module that each of them is */
  constructor(
    modulesDir = process.cwd(),
    private readonly aliases: Readonly<Record<string, string>> = {},
  ) {
    this.#directory = modulesDir;
    this.#require = createRequire(join(modulesDir, 'reactor.js'));
  }

  /** Loads the code as CommonJS or, if it does not parse as such, as an ES module. @throws LoadFailure */
  async load(code: string, fileName: string, isDebugged = false): Promise<unknown> {
    try {
      return this.#runCommonJs((isDebugged ? compileScript : compileFunction)(code, fileName), fileName);
    } catch (commonJsError) {
      if (!isSyntaxError(commonJsError, fileName)) throw commonJsError;
      return await this.#loadModule(code, fileName, commonJsError);
    }
  }

  #runCommonJs(wrapper: ReturnType<typeof compileFunction>, fileName: string): unknown {
    const module = { exports: {} as unknown };
    const require = Object.assign((request: string): unknown => {
      const name = this.#resolve(request);
      if (name === ERRORS_MODULE) return reactorErrors;
      this.#resolvePath(name);
      return this.#require(name);
    }, this.#require);
    wrapper.call(module.exports, module.exports, require, module, fileName, this.#directory);
    return module.exports;
  }

  async #loadModule(code: string, fileName: string, commonJsError: SyntaxError): Promise<unknown> {
    let module: vm.SourceTextModule;
    try {
      module = new vm.SourceTextModule(code, { identifier: fileName });
    } catch (error) {
      const relevantError = hasModuleSyntax(code) ? (error as Error) : commonJsError;
      throw new LoadFailure(createLoadError(relevantError, fileName));
    }
    await module.link((name) => this.#createDependency(name, module.context));
    await module.evaluate();
    return module.namespace;
  }

  #resolve(name: string): string {
    return Object.hasOwn(this.aliases, name) ? (this.aliases[name] ?? name) : name;
  }

  async #createDependency(request: string, context: vm.Context | undefined): Promise<vm.Module> {
    const name = this.#resolve(request);
    const exports: object =
      name === ERRORS_MODULE ? { ...reactorErrors, default: reactorErrors } : await this.#import(name);
    const names = Object.keys(exports);
    const synthetic = new vm.SyntheticModule(
      names,
      () => {
        for (const key of names) synthetic.setExport(key, (exports as Record<string, unknown>)[key]);
      },
      { identifier: request, ...(context && { context }) },
    );
    return synthetic;
  }

  #import(name: string): Promise<object> {
    return import(isBuiltin(name) ? name : pathToFileURL(this.#resolvePath(name)).href);
  }

  #resolvePath(name: string): string {
    try {
      return this.#require.resolve(name);
    } catch (error) {
      if (!(REACTOR_PACKAGES as readonly string[]).includes(name)) throw error;
      // Version 3 of node-fetch is an ES module, which code of the service cannot require.
      const advice = `Install it for Node.js: npm install --save-dev ${name}${name === 'node-fetch' ? '@2' : ''}`;
      throw new Error(`Only the sandbox provides ${name}, and the code runs in Node.js. ${advice}`);
    }
  }
}

const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;

const compileFunction = (code: string, filename: string) =>
  vm.compileFunction(code.replace(/^#!/, '//'), PARAMETERS, { filename, importModuleDynamically });

/** Compiles the same as a script: before one with a source map, a debugger can stop, but not before a function that stands alone. */
function compileScript(code: string, filename: string): ReturnType<typeof compileFunction> {
  const head = `(function (${PARAMETERS.join(', ')}) {`;
  const options = { filename, importModuleDynamically, columnOffset: -head.length };
  return new vm.Script(`${head}${code.replace(/^#!/, '//')}\n})`, options).runInThisContext();
}

/** Recognizes a SyntaxError in the file itself, as opposed to one that its code threw. */
const isSyntaxError = (error: unknown, fileName: string): error is SyntaxError =>
  error instanceof SyntaxError && (error.stack ?? '').startsWith(`${fileName}:`);

/** Reads the position before the message of V8: `file:line`, the source line, a caret. ES modules have none. */
function createLoadError({ message, stack = '' }: Error, fileName: string): LoadError {
  const [location = '', , caret = ''] = stack.split('\n');
  const line = location.startsWith(`${fileName}:`) ? Number(location.slice(fileName.length + 1)) : 0;
  const position = { file: fileName, line, column: caret.indexOf('^') + 1 };
  return {
    kind: 'load-error',
    message: `The code does not parse: ${message}`,
    ...(line > 0 && { position }),
  };
}
