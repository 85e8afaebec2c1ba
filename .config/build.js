// Bundles the CLI, the emulator and the sandbox worker into dist/. Code splitting keeps start-up short:
// the main chunk holds the command table alone, a command's code is loaded when it runs.
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { buildSandbox } from './build-sandbox.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @type {Record<string, string>} */
const entryPoints = {
  main: 'src/main.ts',
  client: 'src/client/index.ts',
  contract: 'src/contract/index.ts',
  emulator: 'emulator/index.ts',
  'sandbox-worker': 'emulator/sandbox/worker.ts',
};

export async function build() {
  await rm(`${root}dist`, { recursive: true, force: true });
  await Promise.all([buildNode(), buildSandbox(root)]);
}

/** What runs in Node.js. */
function buildNode() {
  return esbuild.build({
    absWorkingDir: root,
    entryPoints,
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: false,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    // esbuild finds its own binary beside its package, the WebAssembly file is read from its package.
    external: ['esbuild', '@jitl/quickjs-ng-wasmfile-release-sync'],
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
