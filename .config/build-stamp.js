// Tells whether a folder of dist/ was built from the current sources, so that a test run does not build twice.
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Everything a build reads, relative to the root of the repository. The lock file covers the bundled packages. */
const INPUTS = [
  'src',
  'bin',
  'emulator',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.config/build.js',
  '.config/build-cli.js',
  '.config/build-dashboard.js',
  '.config/build-loader.js',
  '.config/build-sandbox.js',
  '.config/build-types.js',
  '.config/bundle.js',
  '.config/defer-modules.js',
  '.config/lazy-router.js',
  '.config/share-prelude.js',
  '.config/tsconfig.types.json',
  '.config/typical-commands.js',
  '.config/typical-reactor.js',
];

/**
 * SHA-256 of the names and contents of all inputs, as hexadecimal digits.
 * @param {string} root
 */
async function digestInputs(root) {
  const hash = createHash('sha256').update(process.version);
  for (const input of INPUTS) {
    for (const path of await filesBelow(root, input)) {
      hash.update(`\0${path}\0`).update(await readFile(join(root, path)));
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} input a file or a folder
 */
async function filesBelow(root, input) {
  if (/\.\w+$/.test(input)) return [input];
  const entries = await readdir(join(root, input), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort();
}

/** @param {string} root @param {string} folder */
const stampFile = (root, folder) => join(root, folder, '.inputs');

/**
 * Whether the last complete build of a folder was made from the files as they are now.
 * @param {string} root
 * @param {string} folder what was built, relative to the root
 */
export async function isBuildCurrent(root, folder) {
  const stamp = await readFile(stampFile(root, folder), 'utf8').catch(() => undefined);
  return stamp !== undefined && stamp === (await digestInputs(root));
}

/**
 * Records the inputs of a build. Called last: a build that failed leaves no stamp.
 * @param {string} root
 * @param {string} folder
 */
export async function stampBuild(root, folder) {
  await writeFile(stampFile(root, folder), await digestInputs(root));
}
