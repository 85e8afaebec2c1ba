// Bundles the CLI. Start-up decides the shape, measured against `node -e 0`:
// - CommonJS throughout: Node.js starts it sooner than ES modules, and V8's code cache works for it (src/cli/loader).
// - start.cjs holds commander and the command table alone. That is all that `--help` reads.
// - shared.cjs holds run-command.ts and what it imports, which every command uses.
// - Everything imported dynamically, such as a command, is a bundle of its own that mirrors the path of its source. It
//   takes from shared.cjs what that holds. Larger packages are in vendor/.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import * as zod from 'zod';
import { bundle, copyFromPackage } from './bundle.js';
import { deferModules, deferPackages } from './defer-modules.js';
import { lazyRouter } from './lazy-router.js';

/** Packages that most commands do without. */
const VENDOR = ['@inquirer/prompts', 'chalk', 'jq-wasm', 'pg', 'prom-client', 'undici', 'yaml', 'zod'];

/** Packages of the emulator that are read when a request first needs them: expressions, times that callers send, searches. */
const DEFERRED = ['json-p3', 'liquidjs', 'lucene', 'luxon'];

/** Packages of the CLI that are read when they are first needed. */
const DEFERRED_BY_CLI = ['string-width'];

/**
 * The source of the shared bundle of zod: the functions that the sources name, since all of zod is four times their size.
 * (`z.core.$…` names types.)
 * @param {string} root
 * @returns {Promise<string>}
 */
async function zodSource(root) {
  const paths = (await readdir(join(root, 'src'), { recursive: true })).filter((path) =>
    path.endsWith('.ts'),
  );
  const sources = await Promise.all(paths.map((path) => readFile(join(root, 'src', path), 'utf8')));
  const named = new Set(
    sources.flatMap((source) => [...source.matchAll(/\bz\.(\w+)\b(?!\.\$)/g)].map(([, name]) => name)),
  );
  return `export { ${[...named].filter((name) => name && name in zod).join(', ')} } from 'zod';`;
}

/** Packages with native parts: esbuild is the only dependency, the keyring an optional peer. */
const EXTERNAL = ['esbuild', '@napi-rs/keyring'];

/**
 * The entry points through which the CLI imports the emulator, dynamically. The sandbox is one of its own so that the
 * load check of `reactor deploy` does not read the whole emulator.
 */
const EMULATOR_ENTRIES = { emulator: 'emulator/index.ts', sandbox: 'emulator/sandbox/index.ts' };

/**
 * What Fastify would compile schemas with. It is never loaded and not installed, since no route has a schema; to read past
 * it would cost a start a tenth.
 */
const EMULATOR_EXTERNAL = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'];

/** Loaded by an emulator that exports spans only. */
const TRACING_ENTRY = 'emulator/services/tracing/otlp-tracing.ts';

/** The entry points that programs import. */
const LIBRARY_ENTRIES = {
  client: 'src/client/index.ts',
  contract: 'src/contract/index.ts',
  testing: 'src/testing/index.ts',
};

export const LIBRARIES = Object.keys(LIBRARY_ENTRIES);

const SHARED_ENTRY = 'src/cli/run-command.ts';

/** @param {string} name */
const packageFile = (name) => `vendor/${name.replace(/^@/, '').replaceAll('/', '-')}`;

/** The name of the bundle of a module: `src/cli/commands/token/read.ts` → `cli/commands/token/read`. @param {string} source */
const bundleName = (source) => source.replace(/^src\//, '').replace(/\.ts$/, '');

/**
 * Takes some packages from vendor/.
 * @param {readonly string[]} packages
 * @returns {import('esbuild').Plugin}
 */
const fromVendor = (packages) => ({
  name: 'from-vendor',
  setup({ onResolve }) {
    onResolve({ filter: /^[@a-z]/ }, ({ path }) =>
      packages.includes(path) ? { path: `./${packageFile(path)}.cjs`, external: true } : null,
    );
  },
});

/**
 * Modules that packages import for what is not used here, and that take a start time or room: commander for commands that
 * are executables of their own, Fastify for TLS and HTTP/2, the MCP SDK for forms.
 * @type {[importer: string, modules: string[]][]}
 */
const UNUSED = [
  ['/commander/', ['node:child_process']],
  ['/fastify/', ['node:https', 'node:http2']],
  ['/@modelcontextprotocol/sdk/', ['ajv', 'ajv-formats']],
];

/** @type {import('esbuild').Plugin} */
const withoutUnused = {
  name: 'without-unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:|ajv)/ }, ({ path, importer }) =>
      UNUSED.some(([name, modules]) => importer.includes(name) && modules.includes(path))
        ? { path, namespace: 'unused' }
        : null,
    );
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }));
  },
};

/** @param {string} name */
const deferredBundle = (name) => `./${packageFile(name)}.cjs`;

/** @type {import('esbuild').Plugin} */
const deferredByCli = deferPackages(DEFERRED_BY_CLI, deferredBundle);

/** Takes the emulator from emulator.cjs. @type {import('esbuild').Plugin} */
const withoutEmulator = {
  name: 'without-emulator',
  setup({ onResolve }) {
    onResolve({ filter: /\/emulator\/index\.js$/ }, () => ({ path: './emulator.cjs', external: true }));
  },
};

/** Takes the client from client.cjs, so that its errors are those that programs import. @type {import('esbuild').Plugin} */
const withoutClient = {
  name: 'without-client',
  setup({ onResolve }) {
    onResolve({ filter: /\/client\/index\.js$/ }, () => ({ path: './client.cjs', external: true }));
  },
};

/** Takes the exporter of spans from tracing.cjs. @type {import('esbuild').Plugin} */
const withoutTracing = {
  name: 'without-tracing',
  setup({ onResolve }) {
    onResolve({ filter: /\/otlp-tracing\.js$/ }, () => ({ path: './tracing.cjs', external: true }));
  },
};

/**
 * Leaves out of a bundle what other bundles hold, and gathers the modules that it imports dynamically.
 * @param {string} root
 * @param {Set<string>} dynamic receives the paths of modules that need a bundle of their own
 * @param {(source: string, kind: import('esbuild').ImportKind) => boolean} inShared whether a module is taken from shared.cjs
 * @returns {import('esbuild').Plugin}
 */
function apart(root, dynamic, inShared) {
  const emulator = new Map(Object.entries(EMULATOR_ENTRIES).map(([name, path]) => [path, name]));
  return {
    name: 'apart',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./, namespace: 'file' }, ({ path, resolveDir, kind }) => {
        const source = relative(root, resolve(resolveDir, path)).replace(/\.js$/, '.ts');
        if (inShared(source, kind)) return { path: source, namespace: 'shared' };
        if (kind !== 'dynamic-import') return null;
        const name = emulator.get(source) ?? bundleName(source);
        if (!emulator.has(source)) dynamic.add(source);
        return { path: `./${name}.cjs`, external: true };
      });
      onResolve({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({
        contents: `module.exports = require('./shared.cjs')[${JSON.stringify(path)}]();`,
      }));
    },
  };
}

/**
 * Finds the modules that run-command.ts imports statically. Of packages, only lowdb may be among them.
 * @param {string} root
 * @param {import('esbuild').BuildOptions} options
 * @returns {Promise<Set<string>>}
 */
async function findShared(root, options) {
  const { metafile } = await bundle({
    ...options,
    entryPoints: [SHARED_ENTRY],
    write: false,
    metafile: true,
    plugins: [fromVendor(VENDOR), deferredByCli, apart(root, new Set(), () => false)],
  });
  const inputs = Object.keys(metafile?.inputs ?? {});
  // Goal S2: every command would load them. What only some need is deferred (DEFERRED_BY_CLI).
  const others = inputs.filter((path) => /^node_modules\/(?!lowdb\/)/.test(path));
  if (others.length > 0) throw new Error(`Every command would load ${others.join(', ')}`);
  return new Set(inputs.filter((path) => path.startsWith('src/')));
}

/**
 * @param {string} root
 * @param {import('esbuild').BuildOptions} common
 */
export async function buildCli(root, common) {
  /** @type {import('esbuild').BuildOptions} */
  const options = {
    ...common,
    format: 'cjs',
    minify: true,
    external: EXTERNAL,
    // Serves `createRequire(import.meta.url)`.
    define: { 'import.meta.url': '__filename' },
    outExtension: { '.js': '.cjs' },
  };
  /** @type {Set<string>} */
  const dynamic = new Set();
  const shared = await findShared(root, options);
  const modules = [...shared].map(
    (path) => `${JSON.stringify(path)}: () => require(${JSON.stringify(`./${path}`)})`,
  );
  await Promise.all([
    bundle({
      ...options,
      entryPoints: { start: 'src/cli/index.ts' },
      plugins: [
        withoutUnused,
        fromVendor(VENDOR),
        deferredByCli,
        apart(root, dynamic, (source, kind) => kind === 'dynamic-import' && shared.has(source)),
      ],
    }),
    bundle({
      ...options,
      stdin: { contents: `module.exports = {${modules.join(',')}};`, resolveDir: root },
      outdir: undefined,
      outfile: 'dist/shared.cjs',
      plugins: [fromVendor(VENDOR), deferredByCli, apart(root, dynamic, () => false)],
    }),
    bundle({
      ...options,
      entryPoints: EMULATOR_ENTRIES,
      external: [...EXTERNAL, ...EMULATOR_EXTERNAL],
      // Read by an emulator on PostgreSQL, and by one that Prometheus watches.
      plugins: [
        withoutUnused,
        withoutTracing,
        fromVendor(['pg', 'prom-client']),
        deferModules(root, ['src/contract', 'emulator/store', 'emulator/expressions']),
        deferPackages(DEFERRED, deferredBundle),
        lazyRouter,
      ],
    }),
    bundle({
      ...options,
      entryPoints: LIBRARY_ENTRIES,
      // Programs print the names of error classes.
      minify: false,
      minifySyntax: true,
      plugins: [withoutEmulator, withoutClient, fromVendor(['undici', 'zod'])],
    }),
    bundle({
      ...options,
      entryPoints: { tracing: TRACING_ENTRY },
      // The ES modules of OpenTelemetry leave out what is not used: 57 instead of 300 KB.
      mainFields: ['module', 'main'],
    }),
    bundle({
      ...options,
      entryPoints: Object.fromEntries(
        [...VENDOR, ...DEFERRED, ...DEFERRED_BY_CLI]
          .filter((name) => name !== 'zod')
          .map((name) => [packageFile(name), name]),
      ),
      // jq-wasm finds its WebAssembly file by it.
      banner: { js: "const __url = require('node:url').pathToFileURL(__filename).href;" },
      define: { 'import.meta.url': '__url' },
    }),
  ]);
  await bundle({
    ...options,
    stdin: { contents: await zodSource(root), resolveDir: root },
    outdir: undefined,
    outfile: `dist/${packageFile('zod')}.cjs`,
  });
  await buildDynamic(root, options, dynamic, shared);
  // jq-wasm looks for it there.
  await copyFromPackage(
    join(root, 'node_modules/jq-wasm/dist/build/jq.wasm'),
    join(root, 'dist/vendor/build/jq.wasm'),
  );
}

/**
 * Builds the bundles of modules that are imported dynamically, and those of modules that these import dynamically.
 * @param {string} root
 * @param {import('esbuild').BuildOptions} options
 * @param {ReadonlySet<string>} sources
 * @param {ReadonlySet<string>} shared
 */
async function buildDynamic(root, options, sources, shared) {
  /** @type {Set<string>} */
  const found = new Set();
  await bundle({
    ...options,
    entryPoints: Object.fromEntries([...sources].map((source) => [bundleName(source), join(root, source)])),
    plugins: [
      withoutUnused,
      fromVendor(VENDOR),
      deferredByCli,
      apart(root, found, (source) => shared.has(source)),
    ],
  });
  const more = new Set([...found].filter((source) => !sources.has(source)));
  if (more.size > 0) await buildDynamic(root, options, more, shared);
}
