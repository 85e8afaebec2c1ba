// Bundles the CLI, the emulator and the sandbox worker into dist/.
import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildCli } from './build-cli.js';
import { buildLoader } from './build-loader.js';
import { buildSandbox } from './build-sandbox.js';
import { isBuildCurrent, stampBuild } from './build-stamp.js';
import { buildTypes } from './build-types.js';
import { bundle, writeLicenses } from './bundle.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @type {import('esbuild').BuildOptions} */
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

/** @returns {Promise<void>} */
async function build() {
  await rm(`${root}dist`, { recursive: true, force: true });
  await Promise.all([buildCli(root, common), buildModules(), buildSandbox(root, common)]);
  // The entry point of users is an ES module like the others.
  await writeFile(`${root}dist/emulator.js`, "export * from './emulator.cjs';\n");
  await buildLoader(root, common);
  await writeLicenses(root);
  await stampBuild(root);
}

/** Builds what the sources do not match any more; the build of `npm ci` serves the tests after it. */
export async function buildIfStale() {
  if (!(await isBuildCurrent(root))) await build();
}

/** The programmatic API and what runs in worker threads: ES modules that share split chunks. */
function buildModules() {
  return bundle({
    ...common,
    entryPoints: {
      client: 'src/client/index.ts',
      contract: 'src/contract/index.ts',
      'expression-worker': 'emulator/expressions/worker.ts',
    },
    splitting: true,
    format: 'esm',
    chunkNames: 'chunks/[name]-[hash]',
    minifySyntax: true,
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
  await buildTypes();
}
