import { providedModule, REACTOR_MODULES } from '../../../../src/contract/reactor-runtime.js';
import type { Host, ModuleFactory } from '../bridge/host.js';
import { MODULES } from './index.js';

type Require = (name: string) => unknown;

/** Creates `require` for reactor code. Each module is created when it is first required. */
export function createRequire(host: Host): Require {
  const cache = new Map<string, unknown>();

  function load(request: string): unknown {
    const name = providedModule(request) as keyof typeof MODULES | undefined;
    if (name === undefined) throw createNotFoundError(request);
    const create = MODULES[name];
    return create ? create() : evaluateFactory(host.loadModule(name), require);
  }

  function require(request: string): unknown {
    const name = String(request);
    if (!cache.has(name)) cache.set(name, load(name));
    return cache.get(name);
  }

  return require;
}

function createNotFoundError(name: string): Error {
  const error = new Error(
    `Cannot find module '${name}'. A reactor can require: ${REACTOR_MODULES.join(', ')}.`,
  );
  return Object.assign(error, { code: 'MODULE_NOT_FOUND' });
}

function evaluateFactory(factory: ModuleFactory, require: Require): unknown {
  const module: { exports: { exported?: unknown } } = { exports: {} };
  factory(module, module.exports, require);
  return module.exports.exported;
}
