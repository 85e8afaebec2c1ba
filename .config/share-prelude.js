// Keeps what the prelude already has out of the modules that it loads on demand.
import { isBuiltin } from 'node:module';
import { basename } from 'node:path';

/** Packages that only wrap a global of the prelude. */
const WRAPPERS = {
  'node:process': 'module.exports = globalThis.process;',
  'process/': 'module.exports = globalThis.process;',
  'abort-controller': 'module.exports = { AbortController, AbortSignal };',
  'whatwg-url': 'module.exports = { URL };',
};

/** @type {import('esbuild').Plugin} */
export const sharePrelude = {
  name: 'share-prelude',
  setup(build) {
    build.onResolve({ filter: /\/bridge\/[\w-]+\.js$/ }, ({ path }) => ({
      path: `#${basename(path, '.js')}`,
      external: true,
    }));
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      if (path in WRAPPERS) return { path, namespace: 'wrapper' };
      // A slash at the end means the package of that name, which the module replaces as well.
      const name = path.replace(/^node:|\/$/g, '');
      return isBuiltin(name) ? { path: name, external: true } : undefined;
    });
    build.onLoad({ filter: /./, namespace: 'wrapper' }, ({ path }) => ({
      contents: WRAPPERS[/** @type {keyof typeof WRAPPERS} */ (path)],
    }));
  },
};
