import { REACTOR_MODULES, resolveModule } from '../../../../src/contract/reactor-runtime.js';
import { getHost } from '../bridge/host-bridge.js';
import { getNames } from '../bridge/names.js';
import { MODULES } from './index.js';
import { loadBundle } from './load-bundle.js';

const cache = new Map<string, unknown>();

function load(request: string): unknown {
  const name = resolveModule(request, getNames().modules) as keyof typeof MODULES | undefined;
  if (name === undefined) return loadPackage(request);
  const create = MODULES[name];
  return create ? create(requireModule) : loadBundle(name, requireModule);
}

/** `require` of reactor code. Each module is created when it is first required. */
export function requireModule(request: string): unknown {
  const name = String(request);
  if (!cache.has(name)) cache.set(name, load(name));
  return cache.get(name);
}

/** Names of the packages that were bundled for the reactor. */
let packages: ReadonlySet<string> = new Set();

/** @param json array of names */
export function setPackages(json: string): void {
  packages = new Set(JSON.parse(json) as string[]);
}

function loadPackage(name: string): unknown {
  if (!packages.has(name)) throw createNotFoundError(name);
  const module: { exports: unknown } = { exports: {} };
  getHost().loadPackage(name)(module, module.exports, requireModule);
  return module.exports;
}

function createNotFoundError(name: string): Error {
  const error = new Error(
    `Cannot find module '${name}'. A reactor can require: ${REACTOR_MODULES.join(', ')}.`,
  );
  return Object.assign(error, { code: 'MODULE_NOT_FOUND' });
}
