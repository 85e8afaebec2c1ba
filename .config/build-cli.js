// Bundles the CLI into dist/cli with rolldown: esbuild splits ES modules only, and Node.js starts CommonJS sooner. Its ES modules
// would also read every property of `node:http`, which loads the WebSocket of Node.js (goal S2). What a dynamic import loads,
// such as a command, becomes a file.
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
 * Tells which modules every command that runs needs: those that run-command.ts imports, without those that `--help` needs. Goal
 * S2, `token list`: 3.84 → 3.32 on Node.js 20, 2.85 → 2.59 on Node.js 24 (processor time), with one file in place of 50.
 * @param {string} root
 */
function everyCommandNeeds(root) {
  /** @type {Set<string> | undefined} */
  let needed;
  /** @param {string} id @param {import('rolldown').ChunkingContext} graph */
  return (id, graph) => {
    if (!needed) {
      needed = importedBy(join(root, 'src/cli/run-command.ts'), graph);
      for (const atStart of importedBy(join(root, 'src/cli/index.ts'), graph)) needed.delete(atStart);
    }
    return needed.has(id);
  };
}

/**
 * The modules that one imports statically, directly or not, and itself.
 * @param {string} id
 * @param {import('rolldown').ChunkingContext} graph
 */
function importedBy(id, graph) {
  const found = new Set([id]);
  for (const one of found) for (const next of graph.getModuleInfo(one)?.importedIds ?? []) found.add(next);
  return found;
}

/**
 * @param {string} root
 * @param {string[]} external
 */
export async function buildCli(root, external) {
  const isNeeded = everyCommandNeeds(root);
  const build = await rolldown({
    cwd: root,
    input: { tokenctl: 'src/cli/index.ts' },
    platform: 'node',
    preserveEntrySignatures: false,
    external,
    plugins: [withoutEmulator(root), withoutChildProcess],
  });
  const { output } = await build.write({
    dir: 'dist/cli',
    format: 'cjs',
    dynamicImportInCjs: false,
    minify: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { debugName: 'every-command', name: (id, graph) => (isNeeded(id, graph) ? 'every-command' : null) },
      ],
    },
  });
  await build.close();
  for (const chunk of output) if (chunk.type === 'chunk') chunk.moduleIds.forEach(recordPackage);
  // jq-wasm looks for it there.
  await copyFromPackage(
    join(root, 'node_modules/jq-wasm/dist/build/jq.wasm'),
    join(root, 'dist/cli/build/jq.wasm'),
  );
}
