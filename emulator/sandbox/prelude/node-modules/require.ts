import { REACTOR_MODULES, resolveModule } from '../../../../src/contract/reactor-runtime.js';
import { getNames } from '../bridge/host.js';
import { getHost } from '../bridge/host-bridge.js';
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

/** What the code requires: all names in it, those of bundled packages, and why the others are not bundled. */
interface Packages {
  names: string[];
  bundled: string[];
  problems: Record<string, string>;
}

/** undefined if the emulator has no directory of packages. */
let packages: Packages | undefined;

/** @param json `Packages` */
export function setPackages(json: string): void {
  packages = JSON.parse(json) as Packages;
}

function loadPackage(name: string): unknown {
  if (!packages?.bundled.includes(name)) throw createNotFoundError(name);
  const module: { exports: unknown } = { exports: {} };
  try {
    getHost().loadPackage(name)(module, module.exports, requireModule);
  } catch (error) {
    // The engine words its errors without names, and its positions are in a bundle.
    throw new Error(`The package '${name}' cannot be loaded in this runtime: ${error}`, { cause: error });
  }
  return module.exports;
}

function createNotFoundError(name: string): Error {
  const reason = findReason(name) ?? `. A reactor can require: ${REACTOR_MODULES.join(', ')}.`;
  return Object.assign(new Error(`Cannot find module '${name}'${reason}`), { code: 'MODULE_NOT_FOUND' });
}

function findReason(name: string): string | undefined {
  if (!packages) return undefined;
  if (!packages.names.includes(name))
    return ': the code computes its name. Only packages that the code names in quotes are there.';
  return Object.hasOwn(packages.problems, name) ? `: ${packages.problems[name]}` : undefined;
}
