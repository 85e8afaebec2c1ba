// Bundles the loader of the CLI and fills its code cache for the version of Node.js that builds.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.js';

/**
 * Identifies the contents of the bundles, so that compiled code of another build is never used.
 * @param {string} root
 */
async function digestBundles(root) {
  const hash = createHash('sha256');
  const names = (await readdir(join(root, 'dist'), { recursive: true })).filter((name) =>
    name.endsWith('.cjs'),
  );
  for (const name of names.sort()) hash.update(`${name}\0`).update(await readFile(join(root, 'dist', name)));
  return hash.digest('hex').slice(0, 16);
}

/**
 * Builds the loader and fills the code cache. Called when the other bundles are built.
 * @param {string} root
 * @param {import('esbuild').BuildOptions} common
 */
export async function buildLoader(root, common) {
  const buildId = await digestBundles(root);
  await bundleLoader(common, buildId, true);
  await fillCodeCache(root);
  await bundleLoader(common, buildId, false);
}

/**
 * @param {import('esbuild').BuildOptions} common
 * @param {string} buildId
 * @param {boolean} fillsCache whether every process adds what it has compiled to the code cache
 */
async function bundleLoader(common, buildId, fillsCache) {
  await bundle({
    ...common,
    format: 'cjs',
    minify: true,
    outExtension: { '.js': '.cjs' },
    entryPoints: {
      tokenctl: 'src/cli/loader/index.ts',
      'sandbox-worker': 'src/cli/loader/sandbox-worker.ts',
      'store-code-cache': 'src/cli/loader/store-code-cache.ts',
    },
    external: ['./sandbox-thread.cjs', './store-code-cache.cjs'],
    define: { BUILD_ID: JSON.stringify(buildId), FILLS_CACHE: String(fillsCache) },
  });
}

/**
 * The cache keeps the functions that these commands and a reactor use. The emulator has a data directory, as most have. What it stores at
 * its exit replaces what the commands that it served have added; so they run again with one that stores nothing.
 * @param {string} dataDir
 */
const typicalCommands = (dataDir) => {
  const exec = ['emulator', 'exec', '--data-dir', dataDir, '--', process.execPath];
  const words = ['bin/tokenctl.js', ...exec, '.config/typical-commands.js'];
  return [
    { words: ['bin/tokenctl.js', '--help'] },
    { words },
    { words, env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
    { words: ['.config/typical-reactor.js'] },
  ];
};

/**
 * Runs typical commands with an empty code cache and moves it to dist/cache. A build that cannot run them, for example
 * without a loopback network, goes without.
 * @param {string} root
 */
async function fillCodeCache(root) {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-build-'));
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: directory, XDG_CACHE_HOME: join(directory, 'cache') };
  try {
    for (const { words, env: more } of typicalCommands(join(directory, 'data')))
      execFileSync(process.execPath, words, {
        cwd: root,
        env: { ...env, ...more },
        stdio: 'ignore',
      });
    const [build = ''] = await readdir(join(directory, 'cache/tokenctl'));
    const compiler = build.slice(build.indexOf('-') + 1);
    const target = join(root, 'dist/cache', compiler);
    await cp(join(directory, 'cache/tokenctl', build), target, { recursive: true });
    for (const name of await readdir(target)) await chmod(join(target, name), 0o644);
    await chmod(target, 0o755);
  } catch (error) {
    console.warn(`The code cache stays empty: ${error instanceof Error ? error.message : error}`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
