// Goal S3, processor time of the main thread until the ready line: 143 → 120 ms (schemas), 99 → 95 ms (packages). Modules that
// build zod schemas or the engine of expressions, and packages that no start needs, run when the first of their exports is
// read, which is at the first request that needs one.
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';

const USES_PACKAGE = /^import (?:type )?(?:\* as z from 'zod|\{[^}]*\} from '(?:json-p3|liquidjs)')/m;
const EXPORTED = /^export (?:const|(?:async )?function|class) (\w+)/gm;
const OTHER_EXPORT = /^export (?:default|let|var|\*|\{)/m;
/** What Node.js adds to the exports of a CommonJS module. */
const NO_EXPORTS = ['default', '__esModule', 'module.exports'];
const MODULE = 'deferred';
const PACKAGE = 'deferred-package';

/**
 * The source of a module that has the exports of another one and loads it when one of them is read.
 * @param {string} path
 * @param {readonly string[]} names
 */
function deferringModule(path, names) {
  const getters = names.map((name) => `get ${name}() { return load().${name}; }`);
  return `let loaded;
const load = () => (loaded ??= require(${JSON.stringify(path)}));
module.exports = { __esModule: true, ${getters.join(', ')} };`;
}

/**
 * The names that a module exports.
 * @param {string} path
 * @param {string} source
 */
function exportsOf(path, source) {
  if (OTHER_EXPORT.test(source)) throw new Error(`${path} exports what cannot be deferred.`);
  return [...source.matchAll(EXPORTED)].flatMap(([, name]) => name ?? []);
}

/**
 * Defers the modules in `directories` that use a large package when they are loaded, for all importers but each other.
 * @param {string} root
 * @param {readonly string[]} directories relative to the root
 * @returns {import('esbuild').Plugin}
 */
export const deferModules = (root, directories) => ({
  name: 'defer-modules',
  setup({ onResolve, onLoad }) {
    /** @type {Map<string, Promise<string | undefined>>} */
    const sources = new Map();
    /** @param {string} path @returns {Promise<string | undefined>} the source of a module to defer */
    const sourceOf = (path) => {
      if (!directories.some((directory) => relative(root, path).startsWith(`${directory}/`)))
        return Promise.resolve(undefined);
      const known =
        sources.get(path) ??
        readFile(path, 'utf8').then((text) => (USES_PACKAGE.test(text) ? text : undefined));
      sources.set(path, known);
      return known;
    };
    onResolve({ filter: /^\./, namespace: 'file' }, async ({ path, resolveDir, importer, kind }) => {
      if (kind !== 'import-statement' || (await sourceOf(importer)) !== undefined) return null;
      const target = resolve(resolveDir, path).replace(/\.js$/, '.ts');
      return (await sourceOf(target)) === undefined ? null : { path: target, namespace: MODULE };
    });
    onResolve({ filter: /^\//, namespace: MODULE }, ({ path }) => ({ path }));
    onLoad({ filter: /.*/, namespace: MODULE }, async ({ path }) => ({
      contents: deferringModule(path, exportsOf(path, (await sourceOf(path)) ?? '')),
      resolveDir: root,
    }));
  },
});

/**
 * Defers packages, which have bundles of their own.
 * @param {readonly string[]} packages
 * @param {(name: string) => string} bundleOf returns the path of the bundle of a package
 * @returns {import('esbuild').Plugin}
 */
export const deferPackages = (packages, bundleOf) => ({
  name: 'defer-packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z]/, namespace: 'file' }, ({ path }) =>
      packages.includes(path) ? { path, namespace: PACKAGE } : null,
    );
    onResolve({ filter: /.*/, namespace: PACKAGE }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /.*/, namespace: PACKAGE }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => !NO_EXPORTS.includes(name));
      // An ES module whose only export is a function. An import of its default takes what this module exports.
      if (names.length === 0)
        return {
          contents: `module.exports = (...args) => require(${JSON.stringify(bundleOf(path))}).default(...args);`,
        };
      return {
        contents: `${deferringModule(bundleOf(path), names)}
Object.defineProperty(module.exports, 'default', { get: load });`,
      };
    });
  },
});
