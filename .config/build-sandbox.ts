// Builds the sandbox: its worker thread, the engine, and what runs inside the engine. The prelude is evaluated here, once, and
// the engine's memory kept as an image that every instance starts from.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { bundleFiles, copyFromPackage, root } from './bundle.js';

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

/** Code that runs in the engine. */
const GUEST: BuildOptions = {
  platform: 'neutral',
  mainFields: ['browser', 'module', 'main'],
  conditions: ['browser', 'require', 'default'],
  target: 'es2023',
  minifySyntax: true,
  minifyWhitespace: true,
};

export async function buildSandbox(): Promise<void> {
  await Promise.all([buildThread(), buildModules(), buildEngine()]);
}

/** What most threads never need is in another file. */
const buildThread = () =>
  bundleFiles({
    ...HOST,
    entryPoints: {
      'sandbox-thread': 'emulator/sandbox/worker.ts',
      'sandbox-error-positions': 'emulator/sandbox/error-positions/error-locator.ts',
    },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
  });

/** Modules that are packages as they are. The names end with a file where Node.js has a module of the same name. */
const PACKAGES = {
  assert: 'assert/build/assert.js',
  'node-fetch': 'node-fetch/lib/index.js',
  string_decoder: 'string_decoder/lib/string_decoder.js',
  util: 'util/util.js',
  uuid: 'uuid',
  'web-streams': 'web-streams-polyfill',
};

/** Packages that only wrap a global of the prelude. */
const WRAPPERS: Record<string, string> = {
  'node:process': 'module.exports = globalThis.process;',
  'process/': 'module.exports = globalThis.process;',
  'abort-controller': 'module.exports = { AbortController, AbortSignal };',
  'whatwg-url': 'module.exports = { URL };',
};

/** Keeps what the prelude already has out of the modules that it loads on demand. */
const sharePrelude: Plugin = {
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
    build.onLoad({ filter: /./, namespace: 'wrapper' }, ({ path }) => ({ contents: WRAPPERS[path] ?? '' }));
  },
};

/** Bundles the modules that the prelude loads on demand. */
async function buildModules(): Promise<void> {
  const folder = 'emulator/sandbox/prelude/node-modules/bundles';
  const files = (await readdir(join(root, folder))).filter((name) => /^[^.]+\.ts$/.test(name));
  const own = Object.fromEntries(files.map((name) => [basename(name, '.ts'), `${folder}/${name}`]));
  await bundleFiles({
    ...GUEST,
    entryPoints: { ...own, ...PACKAGES },
    outdir: 'dist/sandbox-modules',
    format: 'cjs',
    minifyIdentifiers: true,
    plugins: [sharePrelude],
  });
}

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
      globalName: 'prelude',
      // A package reads all intrinsics of Node.js when it is loaded, and the engine has no Atomics. `boot` removes it.
      banner: { js: 'globalThis.Atomics = {};' },
    });
    await bundleFiles({
      ...HOST,
      entryPoints: ['emulator/sandbox/quickjs-runtime/build-image.ts'],
      outfile: builder,
    });
    await copyFromPackage(ENGINE, 'sandbox-engine.wasm');
    const image = join(root, 'dist/sandbox-image.bin');
    execFileSync(process.execPath, [builder, ENGINE, prelude, image], { stdio: 'inherit' });
  } finally {
    await rm(directory, { recursive: true });
  }
}
