// Goal S3 on Node.js 24, processor time of a start against `node -e 0`: 13.4 → 11.0 (routes), 13.7 → 12.4 (TLS).
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** A method that replaces itself with a generated one when it is called. */
const LAZY = `
function lazy (name, generate) {
  return function (...values) {
    this[name] = generate()
    return this[name](...values)
  }
}
`;

/** What generates methods, by file. @type {Record<string, [from: RegExp, to: string][]>} */
const REPLACEMENTS = {
  'node.js': [[/(?<=return )new Function\('path', 'i', .*\)/, "lazy('matchPrefix', () => $&)"]],
  'handler-storage.js': [
    [/(?<=_createParamsObject: ).*/, "lazy('_createParamsObject', () => $&)"],
    [
      /this\._compileGet(HandlerMatchingConstraints)\(constrainer, constraints\)/,
      "this._get$1 = lazy('_get$1', () => { $&; return this._get$1 })",
    ],
  ],
};

/**
 * find-my-way, the router of Fastify, generates up to three functions for every route that is added. The bundle generates them
 * when they are first called.
 * @type {import('esbuild').Plugin}
 */
export const lazyRouter = {
  name: 'lazy-router',
  setup({ onLoad }) {
    onLoad({ filter: /\/find-my-way\/lib\/(?:node|handler-storage)\.js$/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8');
      for (const [from, to] of REPLACEMENTS[basename(path)] ?? []) {
        if (!from.test(contents)) throw new Error(`${path} has changed: ${from} matches nothing.`);
        contents = contents.replace(from, to);
      }
      return { contents: contents + LAZY };
    });
  },
};

/** Fastify imports both modules at its start, for servers that the emulator is not. @type {import('esbuild').Plugin} */
export const withoutTls = {
  name: 'without-tls',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:http(?:s|2)$/ }, ({ path, importer }) =>
      importer.includes('/node_modules/fastify/') ? { path, namespace: 'unused' } : null,
    );
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};
