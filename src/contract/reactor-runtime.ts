/** Modules of Node.js that reactor code may require, with or without `node:`; decided, Reactors. */
export const REACTOR_BUILTINS = ['buffer', 'crypto', 'events', 'querystring', 'url', 'util'] as const;

/** Packages that the runtime brings along; decided, Reactors. */
export const REACTOR_PACKAGES = ['axios', 'node-fetch', 'svc-reactor-errors', 'uuid'] as const;

/** Everything that reactor code may require; what else it imports has to be bundled into it. */
export const REACTOR_MODULES: readonly string[] = [...REACTOR_BUILTINS, ...REACTOR_PACKAGES].sort();

/** The name without `node:`, which is allowed before Node.js's own modules only; undefined when it is not provided. */
export function providedModule(name: string): string | undefined {
  const bare = name.replace(/^node:/, '');
  const modules: readonly string[] = bare === name ? REACTOR_MODULES : REACTOR_BUILTINS;
  return modules.includes(bare) ? bare : undefined;
}
