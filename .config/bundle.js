// Runs esbuild for every part of the build and remembers which packages the bundles contain.
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as esbuild from 'esbuild';

/** Directories of the packages whose code is in the bundles. @type {Set<string>} */
const packages = new Set();

/** Records the package that a file belongs to. @param {string} path relative to the root or absolute */
export function recordPackage(path) {
  const [directory] =
    /(?<![^/])node_modules\/.*/.exec(path)?.[0].match(/^(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+/) ?? [];
  if (directory) packages.add(directory);
}

/**
 * Runs esbuild.
 * @template {esbuild.BuildOptions} Options
 * @param {Options} options
 */
export async function bundle(options) {
  const result = await esbuild.build({ ...options, metafile: true });
  for (const { inputs } of Object.values(result.metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs))
      if (bytesInOutput > 0) recordPackage(path);
  }
  return result;
}

/**
 * Copies a file of a package to dist/.
 * @param {string} source absolute
 * @param {string} target absolute
 */
export async function copyFromPackage(source, target) {
  recordPackage(source);
  await mkdir(dirname(target), { recursive: true });
  await cp(source, target);
}

/**
 * The license section of a README, for packages without a license file.
 * @param {string} directory
 * @param {readonly string[]} files
 */
async function licenseSection(directory, files) {
  const readme = files.find((file) => /^readme(\.|$)/i.test(file));
  const text = readme === undefined ? '' : await readFile(join(directory, readme), 'utf8');
  return /^#+ licen[cs]e\s*\n([\s\S]+?)(?=^#|(?![\s\S]))/im.exec(text)?.[1]?.trim() ?? '';
}

/**
 * The license of a package: its license file, the section of its README, or what its package.json says.
 * @param {string} directory
 */
async function licenseOf(directory) {
  const { name, version, license, author } = JSON.parse(
    await readFile(join(directory, 'package.json'), 'utf8'),
  );
  if (typeof license !== 'string') throw new Error(`${directory} has no license.`);
  const all = await readdir(directory);
  const files = all.filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  const holder = typeof author === 'string' ? author : author?.name;
  const stated = [`${license}${holder ? `, ${holder}` : ''}`, await licenseSection(directory, all)];
  const text = texts.map((part) => part.trim()).join('\n\n') || stated.join('\n\n').trim();
  return { name: `${name} ${version}`, license, text };
}

/**
 * Writes the licenses of everything that the bundles contain; called when all of them are built.
 * @param {string} root
 */
export async function writeLicenses(root) {
  const licenses = await Promise.all([...packages].map((directory) => licenseOf(join(root, directory))));
  const sections = licenses
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, license, text }) => `${'='.repeat(80)}\n${name} (${license})\n\n${text}\n`);
  const head = 'The files in this directory contain code of these packages.\n';
  await writeFile(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), [head, ...sections].join('\n'));
}
