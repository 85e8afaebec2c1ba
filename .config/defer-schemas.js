// Goal S3, processor time of the main thread until the ready line: 143 → 120 ms. The modules that build zod schemas run when
// the first of their exports is read, which is at the first request that needs one.
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';

const BUILDS_SCHEMAS = /^import (?:type )?\* as z from 'zod/m;
const EXPORTED = /^export (?:const|(?:async )?function|class) (\w+)/gm;
const OTHER_EXPORT = /^export (?:default|let|var|\*|\{)/m;
const NAMESPACE = 'deferred';

/**
 * The source of a module that has the exports of another one and loads it when one of them is read.
 * @param {string} path
 * @param {string} source
 */
function deferringModule(path, source) {
  if (OTHER_EXPORT.test(source)) throw new Error(`${path} exports what cannot be deferred.`);
  const getters = [...source.matchAll(EXPORTED)].map(
    ([, name]) => `get ${name}() { return load().${name}; }`,
  );
  return `let loaded;
const load = () => (loaded ??= require(${JSON.stringify(path)}));
module.exports = { __esModule: true, ${getters.join(', ')} };`;
}

/**
 * Defers the modules in `directories` that build schemas, for all importers but each other.
 * @param {string} root
 * @param {readonly string[]} directories relative to the root
 * @returns {import('esbuild').Plugin}
 */
export const deferSchemas = (root, directories) => ({
  name: 'defer-schemas',
  setup({ onResolve, onLoad }) {
    /** @type {Map<string, Promise<string | undefined>>} */
    const sources = new Map();
    /** @param {string} path @returns {Promise<string | undefined>} the source of a module that builds schemas */
    const sourceOf = (path) => {
      if (!directories.some((directory) => relative(root, path).startsWith(`${directory}/`)))
        return Promise.resolve(undefined);
      const known =
        sources.get(path) ??
        readFile(path, 'utf8').then((text) => (BUILDS_SCHEMAS.test(text) ? text : undefined));
      sources.set(path, known);
      return known;
    };
    onResolve({ filter: /^\./, namespace: 'file' }, async ({ path, resolveDir, importer, kind }) => {
      if (kind !== 'import-statement' || (await sourceOf(importer)) !== undefined) return null;
      const target = resolve(resolveDir, path).replace(/\.js$/, '.ts');
      return (await sourceOf(target)) === undefined ? null : { path: target, namespace: NAMESPACE };
    });
    onResolve({ filter: /^\//, namespace: NAMESPACE }, ({ path }) => ({ path }));
    onLoad({ filter: /.*/, namespace: NAMESPACE }, async ({ path }) => ({
      contents: deferringModule(path, (await sourceOf(path)) ?? ''),
      resolveDir: root,
    }));
  },
});
