// Builds the sandbox: its worker thread, the engine, and what runs inside the engine. The prelude is evaluated here, once, and
// the engine's memory kept as an image that every instance starts from.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle, copyFromPackage } from './bundle.js';
import { sharePrelude } from './share-prelude.js';

const { resolve } = createRequire(import.meta.url);
const ENGINE_MODULE = '@jitl/quickjs-ng-wasmfile-release-sync/emscripten-module';
const ENGINE = resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm');

/**
 * @param {string} root
 * @param {import('esbuild').BuildOptions} common options of code that runs in Node.js
 */
export async function buildSandbox(root, common) {
  await Promise.all([buildWorker(common), buildModules(root), buildEngine(root, common)]);
}

/**
 * CommonJS in one file: a thread starts sooner with it than with ES modules. What most threads never need is in another file.
 * @param {import('esbuild').BuildOptions} common
 */
function buildWorker(common) {
  return bundle({
    ...commonJs(common),
    entryPoints: {
      'sandbox-thread': 'emulator/sandbox/worker.ts',
      'sandbox-error-positions': 'emulator/sandbox/error-positions/error-locator.ts',
    },
    outExtension: { '.js': '.cjs' },
  });
}

/** Modules that are packages as they are. The names end with a file where Node.js has a module of the same name. */
const PACKAGES = {
  assert: 'assert/build/assert.js',
  'node-fetch': 'node-fetch/lib/index.js',
  string_decoder: 'string_decoder/lib/string_decoder.js',
  util: 'util/util.js',
  uuid: 'uuid',
  'web-streams': 'web-streams-polyfill',
};

/**
 * Bundles the modules that the prelude loads on demand.
 * @param {string} root
 */
async function buildModules(root) {
  const folder = 'emulator/sandbox/prelude/node-modules/bundles';
  const files = (await readdir(join(root, folder))).filter((name) => /^[^.]+\.ts$/.test(name));
  const own = Object.fromEntries(files.map((name) => [name.replace('.ts', ''), `${folder}/${name}`]));
  return bundle({
    ...guestOptions(root),
    entryPoints: { ...own, ...PACKAGES },
    outdir: 'dist/sandbox-modules',
    format: 'cjs',
    minifyIdentifiers: true,
    plugins: [sharePrelude],
  });
}

/**
 * Builds the memory image, in a process of its own because the sandbox changes `Date` of the process that it runs in.
 * @param {string} root
 * @param {import('esbuild').BuildOptions} common
 */
async function buildEngine(root, common) {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-build-'));
  const [builder, prelude] = [join(directory, 'build-image.cjs'), join(directory, 'prelude.js')];
  try {
    await bundle({
      ...guestOptions(root),
      entryPoints: ['emulator/sandbox/prelude/index.ts'],
      outfile: prelude,
      format: 'iife',
      globalName: 'prelude',
      // A package reads all intrinsics of Node.js when it is loaded, and the engine has no Atomics. `boot` removes it.
      banner: { js: 'globalThis.Atomics = {};' },
    });
    await bundle({
      ...commonJs(common),
      entryPoints: ['emulator/sandbox/quickjs-runtime/build-image.ts'],
      outdir: undefined,
      outfile: builder,
    });
    await copyFromPackage(ENGINE, join(root, 'dist/sandbox-engine.wasm'));
    execFileSync(process.execPath, [builder, ENGINE, prelude, join(root, 'dist/sandbox-image.bin')], {
      stdio: 'inherit',
    });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/**
 * @param {import('esbuild').BuildOptions} common
 * @returns {import('esbuild').BuildOptions}
 */
function commonJs(common) {
  return {
    ...common,
    format: 'cjs',
    minify: true,
    banner: { js: "const __url = require('node:url').pathToFileURL(__filename).href;" },
    define: { 'import.meta.url': '__url' },
    // The CommonJS variant of the package: the file of a thread has no `import()`.
    alias: { [ENGINE_MODULE]: resolve(ENGINE_MODULE) },
  };
}

/**
 * @param {string} root
 * @returns {import('esbuild').BuildOptions}
 */
function guestOptions(root) {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: 'neutral',
    mainFields: ['browser', 'module', 'main'],
    conditions: ['browser', 'require', 'default'],
    target: 'es2023',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
  };
}
