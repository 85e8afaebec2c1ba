// Bundles the CLI and the emulator with rolldown: esbuild splits ES modules only, and Node.js starts CommonJS sooner. Their ES
// modules would also read every property of `node:http`, which loads the WebSocket of Node.js (goal S2). What a dynamic import
// loads, such as a command, becomes a file: of the emulator, a start reads 570 KB in place of 1.4 MB. Goal S3: 12.6 → 11.8 on
// Node.js 20, 8.9 → 8.1 on Node.js 26 (processor time).
import { join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { copyFromPackage, recordPackage } from './bundle.js';

/** The parts of the emulator that the CLI loads; they have bundles of their own. @type {Record<string, string>} */
const EMULATOR = {
  'emulator/index.js': '../emulator.cjs',
  'emulator/sandbox/index.js': '../sandbox.cjs',
};

/** @param {string} root @returns {import('rolldown').Plugin} */
const withoutEmulator = (root) => ({
  name: 'without-emulator',
  resolveId(id, importer = root) {
    const file = EMULATOR[relative(root, resolve(importer, '..', id))];
    return file === undefined ? null : { id: file, external: true };
  },
});

/**
 * Goal S1, `--version` on Node.js 24: 1.40 → 1.21. Commander imports it for commands that are programs of their own.
 * @type {import('rolldown').Plugin}
 */
const withoutChildProcess = {
  name: 'without-child-process',
  resolveId: (id, importer) =>
    id === 'node:child_process' && importer?.includes('/node_modules/commander/') ? '\0unused' : null,
  load: (id) => (id === '\0unused' ? 'export default {};' : null),
};

/**
 * What every command that runs needs becomes one file, without what `--help` needs as well. Goal S2, `token list`, in place of
 * 50 files: 3.21 → 2.73 on Node.js 20, 2.50 → 2.28 on Node.js 26 (processor time).
 */
const GROUPS = [
  { name: 'start', test: /\/src\/cli\/index\.ts$/, priority: 1 },
  { name: 'every-command', test: /\/src\/cli\/run-command\.ts$/ },
];

/**
 * @param {import('rolldown').InputOptions} input
 * @param {import('rolldown').OutputOptions} output
 */
async function bundleInChunks(input, output) {
  const build = await rolldown({ platform: 'node', ...input });
  const written = await build.write({
    format: 'cjs',
    dynamicImportInCjs: false,
    minify: true,
    entryFileNames: '[name].cjs',
    ...output,
  });
  await build.close();
  for (const chunk of written.output) if (chunk.type === 'chunk') chunk.moduleIds.forEach(recordPackage);
}

/**
 * @param {string} root
 * @param {string[]} external
 */
export async function buildCli(root, external) {
  await bundleInChunks(
    {
      cwd: root,
      input: { tokenctl: 'src/cli/index.ts' },
      preserveEntrySignatures: false,
      external,
      plugins: [withoutEmulator(root), withoutChildProcess],
    },
    { dir: 'dist/cli', chunkFileNames: '[name]-[hash].cjs', codeSplitting: { groups: GROUPS } },
  );
  // jq-wasm looks for it there.
  await copyFromPackage(
    join(root, 'node_modules/jq-wasm/dist/build/jq.wasm'),
    join(root, 'dist/cli/build/jq.wasm'),
  );
}

/**
 * @param {string} root
 * @param {string[]} external
 */
export function buildEmulator(root, external) {
  return bundleInChunks(
    {
      cwd: root,
      input: { emulator: 'emulator/index.ts', sandbox: 'emulator/sandbox/index.ts' },
      // Fastify would compile schemas with them; no route has one.
      external: [...external, '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
      // OpenTelemetry's ES modules leave out what is not used.
      resolve: { mainFields: ['module', 'main'] },
    },
    { dir: 'dist', chunkFileNames: 'emulator/[name]-[hash].cjs' },
  );
}
