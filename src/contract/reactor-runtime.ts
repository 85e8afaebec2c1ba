/** Modules of Node.js that reactor code may require, with or without `node:`; decided, Reactors. */
export const REACTOR_BUILTINS = [
  'assert',
  'buffer',
  'crypto',
  'events',
  'http',
  'https',
  'path',
  'querystring',
  'stream',
  'string_decoder',
  'timers',
  'url',
  'util',
  'zlib',
] as const;

/** Packages that the runtime provides; decided, Reactors. */
export const REACTOR_PACKAGES = ['axios', 'node-fetch', 'svc-reactor-errors', 'uuid'] as const;

export const REACTOR_MODULES: readonly string[] = [...REACTOR_BUILTINS, ...REACTOR_PACKAGES].sort();

/** Returns the module name without `node:`, which only modules of Node.js may have; undefined when it is not provided. */
export function providedModule(name: string): string | undefined {
  const bare = name.replace(/^node:/, '');
  const modules: readonly string[] = bare === name ? REACTOR_MODULES : REACTOR_BUILTINS;
  return modules.includes(bare) ? bare : undefined;
}

/** Names by which reactors require provided modules, and the module that each of them stands for. */
export type ModuleAliases = Readonly<Record<string, string>>;

/** Returns the module that an import means: an alias stands for the module that it names. */
export function resolveModule(name: string, aliases: ModuleAliases = {}): string | undefined {
  return providedModule(Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name);
}
