import { isBuiltin } from 'node:module';
import type { BuildFailure, BuildOptions, Metafile, Plugin } from 'esbuild';
import { type ModuleAliases, resolveModule } from '../../../src/contract/reactor-runtime.js';

/** A longer bundle would leave an engine too little memory. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

const OPTIONS = {
  bundle: true,
  write: false,
  format: 'cjs',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"', __filename: '"/package.js"', __dirname: '"/"' },
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** Lists what code requires and imports. Empty if it does not parse, which the engine reports when it loads the code. */
export async function findRequired(code: string): Promise<string[]> {
  const { build } = await import('esbuild');
  const names = new Set<string>();
  const collect: Plugin = {
    name: 'required',
    setup({ onResolve }) {
      onResolve({ filter: /^/ }, ({ path }) => {
        names.add(path);
        return { path, external: true };
      });
    },
  };
  await build({ ...OPTIONS, stdin: { contents: code }, plugins: [collect] }).catch(() => {});
  return [...names];
}

type PackageOptions = { directory: string; aliases: ModuleAliases | undefined };

export type Bundle = { code: string } | { problem: string };

/** Bundles an installed package for the isolated engine. Never rejects. */
export async function bundlePackage(name: string, options: PackageOptions): Promise<Bundle> {
  const bundled = await tryBundle(name, options, []);
  // A package of ES modules alone may have no entry for `require`.
  const imported = 'code' in bundled ? bundled : await tryBundle(name, options, ['import']);
  return 'code' in imported ? imported : bundled;
}

async function tryBundle(name: string, { directory, aliases }: PackageOptions, conditions: string[]) {
  const { build } = await import('esbuild');
  const contents = `module.exports = require(${JSON.stringify(name)});`;
  const stdin = { contents, resolveDir: directory };
  const result = await build({
    ...OPTIONS,
    // Paths in messages are relative to it.
    absWorkingDir: directory,
    platform: 'node',
    minify: true,
    keepNames: true,
    metafile: true,
    conditions,
    stdin,
    plugins: [provideModules(aliases)],
  }).catch((error: Partial<BuildFailure>) => ({ problem: error.errors?.[0]?.text ?? 'the bundler failed' }));
  if ('problem' in result) return result;
  const code = result.outputFiles[0]?.text ?? '';
  if (code.length > MAX_CHARACTERS) return { problem: `it is longer than ${MAX_CHARACTERS} characters` };
  return { code: isModule(result.metafile) ? `${code}\n${MARK_MODULE}` : code };
}

/** Whether the package is an ES module. */
function isModule({ inputs }: Metafile): boolean {
  const entry = inputs['<stdin>']?.imports[0]?.path ?? '';
  return inputs[entry]?.format === 'esm';
}

/** Marks the exports of an ES module as `require` of Node.js does, so that `import` finds the default export. */
const MARK_MODULE = "Object.defineProperty(module.exports, Symbol.toStringTag, { value: 'Module' });";

/** Marks a name that the plugin below looks up itself. */
const RESOLVED = {};

/** Leaves provided modules to the `require` of the reactor, and replaces other modules of Node.js. */
function provideModules(aliases: ModuleAliases | undefined): Plugin {
  return {
    name: 'provided-modules',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^[^./]/ }, async ({ path: name, kind, pluginData, ...from }) => {
        if (kind === 'entry-point' || pluginData === RESOLVED) return undefined;
        // A package may have its own name for a module of Node.js.
        const isOwn = name.startsWith('#');
        const own = isOwn ? await resolve(name, { ...from, kind, pluginData: RESOLVED }) : undefined;
        const path = own?.external ? own.path : name;
        if (resolveModule(path, aliases) !== undefined) return { path, external: true };
        return isBuiltin(path) ? { path: path.replace(/^node:/, ''), namespace: 'missing' } : undefined;
      });
      onLoad({ filter: /^/, namespace: 'missing' }, ({ path }) => ({ contents: missingModule(path) }));
    },
  };
}

/** Substitutes for modules of Node.js that are not provided but that packages use. */
const REPLACED: Readonly<Record<string, string>> = {
  os: `module.exports = {
    EOL: '\\n', arch: () => 'x64', platform: () => 'linux', type: () => 'Linux', release: () => '', endianness: () => 'LE',
    hostname: () => 'reactor', homedir: () => '/', tmpdir: () => '/tmp', cpus: () => [], networkInterfaces: () => ({}),
    uptime: () => 0, totalmem: () => 0, freemem: () => 0, loadavg: () => [0, 0, 0], constants: { signals: {}, errno: {} },
  };`,
  async_hooks: `module.exports = { AsyncResource: class { runInAsyncScope(run, self, ...args) { return run.apply(self, args); } } };
  module.exports.AsyncResource.bind = (run) => run;`,
  constants: 'module.exports = {};',
  diagnostics_channel: `const channel = () => ({
    hasSubscribers: false, subscribe() {}, unsubscribe() {}, publish() {}, runStores: (context, run, self, ...args) => run.apply(self, args),
  });
  const traced = ['traceSync', 'tracePromise'].map((name) => [name, (run, context, self, ...args) => run.apply(self, args)]);
  module.exports = {
    channel, hasSubscribers: () => false, subscribe() {}, unsubscribe() {},
    tracingChannel: () => ({ ...Object.fromEntries(traced), start: channel(), end: channel(), error: channel(), asyncStart: channel(), asyncEnd: channel() }),
  };`,
  perf_hooks: 'module.exports = { performance };',
  process: 'module.exports = process;',
  tty: 'module.exports = { isatty: () => false };',
  'stream/promises': `const { promises } = require('stream'); module.exports = promises;`,
  'stream/web': 'module.exports = { ReadableStream, WritableStream, TransformStream };',
  'timers/promises': `module.exports = {
    setTimeout: (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value)),
    setImmediate: (value) => new Promise((resolve) => setImmediate(resolve, value)),
  };`,
  'util/types': `module.exports = require('util').types;`,
};

/** Returns code that stands in for a module of Node.js: importing it succeeds and only a call throws. */
const missingModule = (name: string): string =>
  REPLACED[name] ??
  `const create = (path) =>
    new Proxy(function () {}, {
      get: (target, key) => {
        if (key === 'prototype') return target.prototype;
        if (Object.hasOwn(Object.prototype, key)) return target[key];
        if (typeof key === 'symbol' || key === '__esModule' || key === 'then') return undefined;
        return create(path + '.' + key);
      },
      apply: () => refuse(path),
      construct: () => refuse(path),
    });
  const refuse = (path) => { throw new Error(path + ' is not available in a reactor.'); };
  module.exports = create(${JSON.stringify(name)});`;
