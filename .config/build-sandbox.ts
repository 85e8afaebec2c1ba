// Builds the sandbox: its worker thread, the engine, and what runs inside the engine. The prelude is evaluated here, once, and
// the engine's memory kept as an image that every instance starts from.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { bundleFiles, copyFromPackage, output, root } from './bundle.js';

const { resolve } = createRequire(import.meta.url);
const ENGINE_MODULE = '@jitl/quickjs-ng-wasmfile-release-sync/emscripten-module';
const ENGINE = resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm');

/** Code that runs in Node.js. CommonJS in one file: a thread starts sooner with it than with ES modules. */
const HOST: BuildOptions = {
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  minify: true,
  banner: { js: "const __url = require('node:url').pathToFileURL(__filename).href;" },
  define: { 'import.meta.url': '__url' },
  // The CommonJS variant of the package: the file of a thread has no `import()`.
  alias: { [ENGINE_MODULE]: resolve(ENGINE_MODULE) },
};

export async function buildSandbox(): Promise<void> {
  await Promise.all([buildThread(), buildSubtle(), buildEngine()]);
}

/** What most threads never need is in another file. */
const buildThread = () =>
  bundleFiles({
    ...HOST,
    entryPoints: {
      'sandbox-thread': 'emulator/sandbox/worker.ts',
      'sandbox-error-positions': 'emulator/sandbox/error-positions/error-locator.ts',
    },
    outdir: output,
    outExtension: { '.js': '.cjs' },
  });

/** Code that runs in the engine. */
const GUEST: BuildOptions = {
  platform: 'neutral',
  mainFields: ['browser', 'module', 'main'],
  conditions: ['browser', 'require', 'default'],
  target: 'es2023',
  minifySyntax: true,
  minifyWhitespace: true,
};

/**
 * Web Crypto over `crypto`, which few reactors need: it would make the memory image, and what each instance copies, larger by a
 * third.
 */
const buildSubtle = () =>
  bundleFiles({
    ...GUEST,
    entryPoints: ['emulator/sandbox/prelude/node-modules/crypto/subtle.ts'],
    outfile: `${output}/sandbox-subtle.js`,
    format: 'cjs',
    minifyIdentifiers: true,
    external: ['node:buffer', 'node:crypto'],
    plugins: [provideModules],
  });

/** Packages that stand for modules of Node.js, and one whose file for browsers would be taken. */
const PACKAGES = {
  assert: 'assert/build/assert.js',
  axios: 'axios',
  buffer: 'buffer/index.js',
  events: 'events/events.js',
  'node-fetch': 'node-fetch/lib/index.js',
  path: 'path-browserify',
  stream: 'readable-stream/lib/stream.js',
  string_decoder: 'string_decoder/lib/string_decoder.js',
};

/** Files of the prelude that stand for modules of Node.js. */
const FILES = ['http.ts', 'https.ts', 'util.ts', 'url.ts', 'zlib.ts', 'crypto/index.ts'];

/** What packages import only for a global of the prelude, or for what they do not do here. */
const GLOBALS: Record<string, string> = {
  process: 'process',
  'abort-controller': '{ AbortController, AbortSignal }',
  'whatwg-url': '{ URL }',
  'form-data': 'FormData',
  http2: '{}',
  // Refused as an agent that connects by itself.
  'https-proxy-agent': "class { static name = 'HttpsProxyAgent'; addRequest() {} }",
  net: '{}',
  perf_hooks: '{ performance }',
  querystring: '{}',
  sqlite: '{}',
  'util/types': "require('util').types",
  worker_threads: '{}',
};

const folder = join(root, 'emulator/sandbox/prelude/node-modules');
const paths = new Map([
  ...Object.entries(PACKAGES).map(([name, path]) => [name, resolve(path)] as const),
  ...FILES.map((file) => [file.replace(/(\/index)?\.ts$/, ''), join(folder, file)] as const),
]);

/** Resolves the modules of Node.js that packages and the prelude import. A slash at the end means the package of that name. */
const provideModules: Plugin = {
  name: 'provide-modules',
  setup({ initialOptions, onResolve, onLoad }) {
    onResolve({ filter: /^(?:[^./][^/]*\/?|node:util\/types)$/ }, ({ path, kind }) => {
      if (initialOptions.external?.includes(path)) return { path, external: true };
      const name = path.replace(/^node:|\/$/g, '');
      if (name in GLOBALS) return { path: name, namespace: 'global' };
      const found = paths.get(name);
      const isOwn = found?.startsWith(folder) && name !== 'util';
      return found && { path: found, ...(isOwn && kind === 'require-call' && { namespace: 'default' }) };
    });
    onLoad({ filter: /./, namespace: 'default' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)}).default;`,
      resolveDir: folder,
    }));
    onLoad({ filter: /./, namespace: 'global' }, ({ path }) => ({
      contents: `module.exports = ${GLOBALS[path]};`,
    }));
  },
};

/** Builds the memory image, in a process of its own because the sandbox changes `Date` of the process that it runs in. */
async function buildEngine(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-build-'));
  const [builder, prelude] = [join(directory, 'build-image.cjs'), join(directory, 'prelude.js')];
  try {
    await bundleFiles({
      ...GUEST,
      entryPoints: ['emulator/sandbox/prelude/index.ts'],
      outfile: prelude,
      format: 'iife',
      // Packages read all globals of Node.js when they are evaluated. The prelude removes those that the engine does not have.
      banner: { js: 'globalThis.Atomics = {}; globalThis.MessagePort = class {};' },
      plugins: [provideModules],
    });
    await bundleFiles({
      ...HOST,
      entryPoints: ['emulator/sandbox/quickjs-runtime/build-image.ts'],
      outfile: builder,
    });
    await copyFromPackage(ENGINE, 'sandbox-engine.wasm');
    const image = join(root, output, 'sandbox-image.gz');
    execFileSync(process.execPath, [builder, ENGINE, prelude, image], { stdio: 'inherit' });
  } finally {
    await rm(directory, { recursive: true });
  }
}
