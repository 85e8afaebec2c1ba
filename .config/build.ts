// Builds dist/: the CLI, the emulator, what programs import, the sandbox, the dashboard, and the declarations.
import { execFileSync } from 'node:child_process';
import { cp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'rolldown';
import { buildSandbox } from './build-sandbox.js';
import { apart, bundleFiles, bundleForNode, copyFromPackage, output, root } from './bundle.js';
import { writeLicenses } from './licenses.js';

/** Goal S1, `--version` on Node.js 24: 1.40 → 1.21. Commander imports it for commands that are programs of their own. */
const withoutChildProcess: Plugin = {
  name: 'without-child-process',
  resolveId: (id, importer) =>
    id === 'node:child_process' && importer?.includes('/node_modules/commander/') ? '\0unused' : null,
  load: (id) => (id === '\0unused' ? 'export default {};' : null),
};

async function buildCli(): Promise<void> {
  await bundleForNode(
    {
      input: { tokenctl: 'src/cli/index.ts' },
      preserveEntrySignatures: false,
      plugins: [
        apart({ 'emulator/index.js': '../emulator.cjs', 'emulator/sandbox/index.js': '../sandbox.cjs' }),
        withoutChildProcess,
      ],
    },
    {
      dir: `${output}/cli`,
      // What every command that runs needs becomes one file, without what `--help` needs as well. Goal S2, `token list`, in place
      // of 50 files: 3.21 → 2.73 on Node.js 20, 2.50 → 2.28 on Node.js 26 (processor time).
      codeSplitting: {
        groups: [
          { name: 'start', test: /\/src\/cli\/index\.ts$/, priority: 1 },
          { name: 'every-command', test: /\/src\/cli\/run-command\.ts$/ },
        ],
      },
    },
  );
  // jq-wasm looks for it there.
  await copyFromPackage(join(root, 'node_modules/jq-wasm/dist/build/jq.wasm'), 'cli/build/jq.wasm');
}

/** The emulator, the sandbox for the CLI, and the thread for expressions that may take long. */
const buildEmulator = () =>
  bundleForNode(
    {
      input: {
        emulator: 'emulator/index.ts',
        sandbox: 'emulator/sandbox/index.ts',
        'start-error': 'emulator/lib/start-error.ts',
        'expression-worker': 'emulator/expressions/worker.ts',
      },
      // Fastify would compile schemas with them; no route has one.
      external: ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
      // OpenTelemetry's ES modules leave out what is not used.
      resolve: { mainFields: ['module', 'main'] },
    },
    { chunkFileNames: 'emulator/[name]-[hash].cjs' },
  );

const LIBRARIES = {
  client: 'src/client/index.ts',
  contract: 'src/contract/index.ts',
  processor: 'emulator/doubles/index.ts',
  testing: 'src/testing/index.ts',
};

/** What programs import. Test runners such as Jest load CommonJS only; ES modules get the same bundle. */
async function buildLibraries(): Promise<void> {
  const plugins = [
    apart({ 'emulator/index.js': './emulator.cjs', 'emulator/lib/start-error.js': './start-error.cjs' }),
  ];
  await bundleForNode({ input: LIBRARIES, plugins }, { minify: false });
  for (const name of Object.keys(LIBRARIES))
    await writeFile(join(root, output, `${name}.js`), `export * from './${name}.cjs';\n`);
}

/** What test runners import. */
const buildTestKits = () =>
  bundleForNode(
    {
      input: {
        vitest: 'src/testing/vitest/index.ts',
        'vitest-setup': 'src/testing/vitest/setup.ts',
        playwright: 'src/testing/playwright/index.ts',
        'playwright-setup': 'src/testing/playwright/setup.ts',
        'playwright-reporter': 'src/testing/playwright/reporter.ts',
      },
      plugins: [apart({ 'src/testing/index.js': './testing.js' })],
    },
    { format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', minify: false },
  );

/** The page of the dashboard: one script, one style sheet, and what a view loads when it needs it. */
async function buildDashboard(): Promise<void> {
  await bundleFiles({
    entryPoints: [
      { in: 'emulator/dashboard/page/main.tsx', out: 'workbench' },
      { in: 'emulator/dashboard/page/components/editor.ts', out: 'editor' },
      { in: 'emulator/dashboard/page/components/markdown.ts', out: 'markdown' },
      { in: 'emulator/dashboard/page/styles/page.css', out: 'workbench' },
    ],
    outdir: `${output}/dashboard`,
    minify: true,
    format: 'esm',
    splitting: true,
    // Browsers of 2024 and newer; style sheets use light-dark().
    target: ['es2023', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {},
  });
  await cp(join(root, 'emulator/dashboard/page/index.html'), join(root, output, 'dashboard/index.html'));
}

async function build(): Promise<void> {
  const built = join(root, output);
  const dist = join(root, 'dist');
  const old = `${built}.old`;
  try {
    const parts = [buildCli, buildEmulator, buildLibraries, buildTestKits, buildSandbox, buildDashboard];
    await Promise.all(parts.map((buildPart) => buildPart()));
    // The dashboard shows the reference of the command line, which is written from the command table.
    const command = [join(built, 'cli/tokenctl.cjs'), 'docs', 'cli'];
    await writeFile(join(built, 'dashboard/cli.md'), execFileSync(process.execPath, command, { cwd: root }));
    await writeLicenses();
    await rename(dist, old).catch(() => {});
    await rename(built, dist);
  } finally {
    for (const path of [built, old]) await rm(path, { recursive: true, force: true });
  }
}

/** When something below a path was last changed. @param path relative to the root */
async function lastChange(path: string): Promise<number> {
  const entries = await readdir(join(root, path), { recursive: true }).catch(() => []);
  const all = await Promise.all(['', ...entries].map((entry) => stat(join(root, path, entry))));
  return Math.max(...all.map(({ mtimeMs }) => mtimeMs));
}

/** Builds what is older than its sources, without declarations; the build of `npm ci` serves the tests after it. */
export async function buildIfStale(): Promise<void> {
  const inputs = ['src', 'emulator', '.config', 'package.json', 'package-lock.json'];
  const built = await lastChange('dist/THIRD-PARTY-LICENSES.txt').catch(() => 0);
  if (Math.max(...(await Promise.all(inputs.map(lastChange)))) > built) await build();
}

/** Which modules the declarations in a directory are of. */
const TYPES_OF_MODULES = {
  '.': 'commonjs',
  'src/testing/vitest': 'module',
  'src/testing/playwright': 'module',
};

/** Writes the declarations of the entry points. The bundles contain zod, so its declarations are published too. */
async function buildTypes(): Promise<void> {
  const types = join(root, 'dist/types');
  await rm(types, { recursive: true, force: true });
  const compiler = [
    join(root, 'node_modules/typescript/bin/tsc'),
    '--project',
    '.config/tsconfig.types.json',
  ];
  execFileSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' });
  // Programs in CommonJS may import them. Those of the kits import packages that are ES modules only.
  for (const [directory, type] of Object.entries(TYPES_OF_MODULES))
    await writeFile(join(types, directory, 'package.json'), JSON.stringify({ type }));
  // Without its package.json files, which would make them declarations of ES modules.
  const filter = (path: string) => !/\.(?:js|cjs|d\.cts|json)$/.test(path);
  for (const part of ['LICENSE', 'index.d.ts', 'mini', 'v4'])
    await cp(join(root, 'node_modules/zod', part), join(types, 'zod', part), { recursive: true, filter });
  for (const entry of await readdir(types, { recursive: true })) {
    const file = join(types, entry);
    if (!entry.endsWith('.d.ts') || entry.startsWith('zod/')) continue;
    const text = await readFile(file, 'utf8');
    const packages = relative(dirname(file), types);
    await writeFile(file, text.replaceAll(/(["'])(zod|zod\/mini)\1/g, `'${packages}/$2/index.js'`));
  }
}

// `build.ts types` writes the declarations only.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] !== 'types') await build();
  await buildTypes();
}
