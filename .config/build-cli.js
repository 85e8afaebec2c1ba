// Bundles the CLI. Start-up decides the shape, measured against `node -e 0`:
// - CommonJS throughout: Node.js starts it sooner than ES modules, of which every single one costs.
// - start.cjs holds commander and the command table alone. That is all that `--help` reads.
// - core.cjs holds main and the commands, each evaluated when it is asked for.
// - Larger packages are files of their own in vendor/, read by the command that needs them; the emulator is an ES module.
import { relative, resolve } from 'node:path';
import * as esbuild from 'esbuild';

/** Packages that most commands do without. */
const VENDOR = ['@inquirer/prompts', 'chalk', 'cli-progress', 'undici', 'yaml'];

/** Read from their own packages: a binary, and WebAssembly. */
const EXTERNAL = ['esbuild', 'jq-wasm'];

/**
 * The entry points through which the CLI imports the emulator, dynamically. The sandbox is one of its own so that the
 * load check of `reactor deploy` does not read the whole emulator.
 */
export const EMULATOR_ENTRIES = { emulator: 'emulator/index.ts', sandbox: 'emulator/sandbox/index.ts' };

/** @param {string} name */
const fileName = (name) => name.replace(/^@/, '').replaceAll('/', '-');

/**
 * What start.cjs imports dynamically is taken from core.cjs; gathers the names of those modules.
 * @param {string} source
 * @param {Set<string>} names
 * @returns {esbuild.Plugin}
 */
function fromCore(source, names) {
  return {
    name: 'from-core',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return null;
        const name = relative(source, resolve(resolveDir, path)).replace(/\.js$/, '');
        names.add(name);
        return { path: name, namespace: 'core' };
      });
      onLoad({ filter: /.*/, namespace: 'core' }, ({ path }) => ({
        contents: `module.exports = require('./core.cjs')[${JSON.stringify(path)}]();`,
      }));
      onResolve({ filter: /^\.\/core\.cjs$/, namespace: 'core' }, ({ path }) => ({ path, external: true }));
      // commander needs it for commands that are executables of their own, of which there are none here.
      onResolve({ filter: /^node:child_process$/ }, () => ({ path: 'child_process', namespace: 'unused' }));
      onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }));
    },
  };
}

/**
 * Leaves larger packages and the emulator in files of their own.
 * @param {string} root
 * @returns {esbuild.Plugin}
 */
function apart(root) {
  const emulator = new Map(
    Object.entries(EMULATOR_ENTRIES).map(([name, path]) => [resolve(root, path), name]),
  );
  return {
    name: 'apart',
    setup({ onResolve }) {
      onResolve({ filter: /^[@a-z]/ }, ({ path }) =>
        VENDOR.includes(path) ? { path: `./vendor/${fileName(path)}.cjs`, external: true } : null,
      );
      onResolve({ filter: /\/emulator\// }, ({ path, resolveDir, kind }) => {
        const name = emulator.get(resolve(resolveDir, path).replace(/\.js$/, '.ts'));
        return name && kind === 'dynamic-import' ? { path: `./${name}.js`, external: true } : null;
      });
    },
  };
}

/**
 * @param {string} root
 * @param {esbuild.BuildOptions} common
 */
export async function buildCli(root, common) {
  /** @type {Set<string>} */
  const names = new Set();
  const options = /** @type {const} */ ({ ...common, format: 'cjs', minify: true });
  await esbuild.build({
    ...options,
    entryPoints: { start: 'src/cli/index.ts' },
    outExtension: { '.js': '.cjs' },
    plugins: [fromCore(`${root}src/cli`, names)],
  });
  const modules = [...names].map(
    (name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(`./src/cli/${name}.ts`)})`,
  );
  const core = esbuild.build({
    ...options,
    stdin: { contents: `module.exports = {${modules.join(',')}};`, resolveDir: root },
    outdir: undefined,
    outfile: 'dist/core.cjs',
    external: EXTERNAL,
    plugins: [apart(root)],
  });
  const vendor = esbuild.build({
    ...options,
    entryPoints: Object.fromEntries(VENDOR.map((name) => [fileName(name), name])),
    outdir: 'dist/vendor',
    outExtension: { '.js': '.cjs' },
  });
  await Promise.all([core, vendor]);
}
