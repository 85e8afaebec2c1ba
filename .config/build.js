// Bundles the CLI, the emulator and the sandbox worker into dist/.
import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildCli, LIBRARIES } from './build-cli.js';
import { buildDashboard } from './build-dashboard.js';
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
  await Promise.all([
    buildCli(root, common),
    buildExpressionWorker(),
    buildTestKits(),
    buildSandbox(root, common),
    buildDashboard(root),
  ]);
  // Test runners such as Jest load CommonJS only; others get an ES module of the same bundle.
  for (const name of LIBRARIES) await writeFile(`${root}dist/${name}.js`, `export * from './${name}.cjs';\n`);
  await buildLoader(root, common);
  await writeLicenses(root);
  await stampBuild(root, 'dist');
}

/** Builds what the sources do not match any more; the build of `npm ci` serves the tests after it. */
export async function buildIfStale() {
  if (!(await isBuildCurrent(root, 'dist'))) await build();
}

/** The thread for expressions that may take long: an ES module, as `worker.ts` is. The banner serves the packages that call `require`. */
function buildExpressionWorker() {
  return bundle({
    ...common,
    entryPoints: { 'expression-worker': 'emulator/expressions/worker.ts' },
    format: 'esm',
    minifySyntax: true,
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}

/** What test runners import. The runner is a peer dependency, and the emulator is in testing.js. */
function buildTestKits() {
  return bundle({
    ...common,
    entryPoints: {
      vitest: 'src/testing/vitest/index.ts',
      'vitest-setup': 'src/testing/vitest/setup.ts',
      playwright: 'src/testing/playwright/index.ts',
      'playwright-setup': 'src/testing/playwright/setup.ts',
      'playwright-reporter': 'src/testing/playwright/reporter.ts',
    },
    format: 'esm',
    external: ['vitest', '@playwright/test'],
    plugins: [
      {
        name: 'without-testing',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.\.?\/index\.js$/ }, () => ({ path: './testing.js', external: true })),
      },
    ],
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
  await buildTypes();
}
