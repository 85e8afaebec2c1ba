// Bundles the CLI, the emulator and the sandbox worker into dist/. Start-up decides the shape: dist/start.cjs holds the
// command table and commander alone, as CommonJS, which Node.js starts sooner than an ES module; whatever it imports
// dynamically (main, the commands) becomes an entry point of the second build, ES modules that share split chunks.
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { buildSandbox } from './build-sandbox.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = `${root}src`;

/** @type {Record<string, string>} */
const entryPoints = {
  client: 'src/client/index.ts',
  contract: 'src/contract/index.ts',
  emulator: 'emulator/index.ts',
  'sandbox-worker': 'emulator/sandbox/worker.ts',
};

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'warning',
};

/**
 * Leaves dynamic imports of the project's own modules alone and notes them.
 * @param {Record<string, string>} found
 * @returns {esbuild.Plugin}
 */
function lazyModules(found) {
  return {
    name: 'lazy-modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return null;
        const name = relative(source, resolve(resolveDir, path)).replace(/\.js$/, '');
        found[name] = `src/${name}.ts`;
        return { path: `./${name}.js`, external: true };
      });
      // commander needs it for commands that are executables of their own, of which there are none here.
      onResolve({ filter: /^node:child_process$/ }, () => ({ path: 'child_process', namespace: 'unused' }));
      onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }));
    },
  };
}

/** @returns {Promise<void>} */
export async function build() {
  await rm(`${root}dist`, { recursive: true, force: true });
  await Promise.all([buildNode(), buildSandbox(root)]);
}

/** What runs in Node.js. */
async function buildNode() {
  /** @type {Record<string, string>} */
  const lazy = {};
  await esbuild.build({
    ...common,
    entryPoints: { start: 'src/start.ts' },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minify: true,
    plugins: [lazyModules(lazy)],
  });
  await esbuild.build({
    ...common,
    entryPoints: { ...entryPoints, ...lazy },
    splitting: true,
    format: 'esm',
    chunkNames: 'chunks/[name]-[hash]',
    minifySyntax: true,
    // esbuild finds its own binary beside its package, WebAssembly is read from its package too.
    external: ['esbuild', 'jq-wasm', '@jitl/quickjs-ng-wasmfile-release-sync'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}

/** The declarations of the programmatic API; the tests do not need them. */
function declare() {
  const compiler = fileURLToPath(
    import.meta.resolve('typescript/package.json').replace('package.json', 'bin/tsc'),
  );
  execFileSync(process.execPath, [compiler, '--project', '.config/tsconfig.types.json'], {
    cwd: root,
    stdio: 'inherit',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
  declare();
}
