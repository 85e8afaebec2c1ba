// Builds dist/: the CLI, what programs import, the sandbox, the dashboard, and the declarations.
import { cp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCli, buildEmulator } from './build-chunks.js';
import { buildSandbox } from './build-sandbox.js';
import { buildTypes } from './build-types.js';
import { bundle, writeLicenses } from './bundle.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @typedef {import('esbuild').BuildOptions} BuildOptions */

/** @type {BuildOptions} */
const common = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  logLevel: 'warning',
};

/** @type {BuildOptions} */
const esModule = {
  ...common,
  format: 'esm',
  // Serves the packages that call `require`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
};

/** @type {BuildOptions} */
const commonJs = {
  ...common,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  // Serves `createRequire(import.meta.url)`.
  define: { 'import.meta.url': '__filename' },
};

/** Installed with the package, or loaded from the project of a user. */
const EXTERNAL = ['esbuild', '@napi-rs/keyring', 'vitest', '@playwright/test'];

/**
 * Takes modules from their own bundles, so that a class or a running emulator exists once.
 * @param {Record<string, string>} bundles by the path of the source
 * @returns {import('esbuild').Plugin}
 */
const apart = (bundles) => ({
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/index\.js$/ }, ({ path, resolveDir }) => {
      const bundlePath = bundles[relative(root, join(resolveDir, path))];
      return bundlePath === undefined ? null : { path: bundlePath, external: true };
    });
  },
});

/** The thread for expressions that may take long. */
function buildExpressionWorker() {
  return bundle({
    ...esModule,
    entryPoints: { 'expression-worker': 'emulator/expressions/worker.ts' },
    minify: true,
  });
}

/** What programs import. Test runners such as Jest load CommonJS only; ES modules get the same bundle. */
async function buildLibraries() {
  const entryPoints = {
    client: 'src/client/index.ts',
    contract: 'src/contract/index.ts',
    testing: 'src/testing/index.ts',
  };
  await bundle({
    ...commonJs,
    entryPoints,
    minifySyntax: true,
    external: EXTERNAL,
    plugins: [apart({ 'emulator/index.js': './emulator.cjs', 'src/client/index.js': './client.cjs' })],
  });
  for (const name of Object.keys(entryPoints))
    await writeFile(join(root, `dist/${name}.js`), `export * from './${name}.cjs';\n`);
}

/** What test runners import. */
function buildTestKits() {
  return bundle({
    ...common,
    format: 'esm',
    entryPoints: {
      vitest: 'src/testing/vitest/index.ts',
      'vitest-setup': 'src/testing/vitest/setup.ts',
      playwright: 'src/testing/playwright/index.ts',
      'playwright-setup': 'src/testing/playwright/setup.ts',
      'playwright-reporter': 'src/testing/playwright/reporter.ts',
    },
    external: EXTERNAL,
    plugins: [apart({ 'src/testing/index.js': './testing.js' })],
  });
}

/** The page of the dashboard: one script, one style sheet. */
async function buildDashboard() {
  await bundle({
    ...common,
    entryPoints: [
      { in: 'emulator/dashboard/page/main.tsx', out: 'workbench' },
      { in: 'emulator/dashboard/page/styles/workbench.css', out: 'workbench' },
    ],
    outdir: 'dist/dashboard',
    minify: true,
    platform: 'browser',
    format: 'esm',
    // Browsers of 2024 and newer; style sheets use light-dark().
    target: ['es2023', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {},
  });
  await cp(join(root, 'emulator/dashboard/page/index.html'), join(root, 'dist/dashboard/index.html'));
}

async function build() {
  await rm(join(root, 'dist'), { recursive: true, force: true });
  await Promise.all([
    buildCli(root, EXTERNAL),
    buildEmulator(root, EXTERNAL),
    buildExpressionWorker(),
    buildLibraries(),
    buildTestKits(),
    buildSandbox(root, common),
    buildDashboard(),
  ]);
  // Written last, so that a build that failed is not taken for a complete one.
  await writeLicenses(root);
}

/** When something below a path was last changed. @param {string} path relative to the root */
async function lastChange(path) {
  const entries = await readdir(join(root, path), { recursive: true }).catch(() => []);
  const all = await Promise.all(['', ...entries].map((entry) => stat(join(root, path, entry))));
  return Math.max(...all.map(({ mtimeMs }) => mtimeMs));
}

/** Builds what is older than its sources, without declarations; the build of `npm ci` serves the tests after it. */
export async function buildIfStale() {
  const inputs = ['src', 'emulator', '.config', 'package.json', 'package-lock.json'];
  const built = await lastChange('dist/THIRD-PARTY-LICENSES.txt').catch(() => 0);
  if (Math.max(...(await Promise.all(inputs.map(lastChange)))) > built) await build();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
  await buildTypes(root);
}
