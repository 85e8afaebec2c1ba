import type { Host, ModuleFactory } from './host.js';

type Require = (name: string) => unknown;

/** What a reactor may require: made when it is first asked for. */
export interface ModuleTable {
  /** Modules of Node.js, with or without `node:` before the name. */
  builtin: Record<string, () => unknown>;
  /** Modules made in here. */
  own: Record<string, () => unknown>;
  /** Bundles that the host evaluates when they are needed. */
  bundled: readonly string[];
}

export function createRequire(host: Host, { builtin, own, bundled }: ModuleTable): Require {
  const cache = new Map<string, unknown>();
  const names = [...Object.keys(builtin), ...Object.keys(own), ...bundled].sort().join(', ');

  function load(name: string): unknown {
    const make = Object.hasOwn(builtin, name)
      ? builtin[name]
      : Object.hasOwn(own, name)
        ? own[name]
        : undefined;
    if (make) return make();
    if (bundled.includes(name)) return evaluate(host.module(name), require);
    const error = new Error(`Cannot find module '${name}'. A reactor can require: ${names}.`);
    throw Object.assign(error, { code: 'MODULE_NOT_FOUND' });
  }

  function require(request: string): unknown {
    const name = withoutScheme(String(request), builtin);
    if (!cache.has(name)) cache.set(name, load(name));
    return cache.get(name);
  }

  return require;
}

export function withoutScheme(name: string, builtin: object): string {
  const bare = name.replace(/^node:/, '');
  return Object.hasOwn(builtin, bare) ? bare : name;
}

function evaluate(factory: ModuleFactory, require: Require): unknown {
  const module: { exports: { exported?: unknown } } = { exports: {} };
  factory(module, module.exports, require);
  return module.exports.exported;
}
