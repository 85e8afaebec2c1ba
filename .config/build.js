// Bundles the CLI, the emulator and the sandbox worker into dist/.
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { buildCli, EMULATOR_ENTRIES, EMULATOR_EXTERNAL } from './build-cli.js';
import { buildLoader, fillCodeCache } from './build-loader.js';
import { buildSandbox } from './build-sandbox.js';
import { isBuildCurrent, stampBuild } from './build-stamp.js';

const root = fileURLToPath(new URL('..', import.meta.url));

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

/** @returns {Promise<void>} */
async function build() {
  await rm(`${root}dist`, { recursive: true, force: true });
  await Promise.all([buildCli(root, common), buildModules(), buildSandbox(root, common)]);
  await buildLoader(root, common);
  await fillCodeCache(root);
  await stampBuild(root);
}

/** Builds what the sources do not match any more; the build of `npm ci` serves the tests after it. */
export async function buildIfStale() {
  if (!(await isBuildCurrent(root))) await build();
}

/** The programmatic API and what runs in worker threads: ES modules that share split chunks. */
function buildModules() {
  return esbuild.build({
    ...common,
    entryPoints: {
      client: 'src/client/index.ts',
      contract: 'src/contract/index.ts',
      ...EMULATOR_ENTRIES,
      'expression-worker': 'emulator/expressions/worker.ts',
    },
    splitting: true,
    format: 'esm',
    chunkNames: 'chunks/[name]-[hash]',
    minifySyntax: true,
    external: EMULATOR_EXTERNAL,
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
