// Writes the licenses of everything that the bundles contain.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundledPackages, root } from './bundle.js';

/** The license section of a README, for packages without a license file. */
async function licenseSection(directory: string, files: readonly string[]): Promise<string> {
  const readme = files.find((file) => /^readme(\.|$)/i.test(file));
  const text = readme === undefined ? '' : await readFile(join(directory, readme), 'utf8');
  return /^#+ licen[cs]e\s*\n([\s\S]+?)(?=^#|(?![\s\S]))/im.exec(text)?.[1]?.trim() ?? '';
}

/** The license of a package: its license files, or what its package.json and its README say. */
async function licenseOf(directory: string) {
  const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
  const { name, version, license, author } = manifest;
  if (typeof license !== 'string') throw new Error(`${directory} has no license.`);
  const all = await readdir(directory);
  const files = all.filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  const holder = typeof author === 'string' ? author : author?.name;
  if (texts.length === 0)
    texts.push([license, holder].filter(Boolean).join(', '), await licenseSection(directory, all));
  const text = texts.map((part) => part.trim()).join('\n\n');
  return { name: `${name} ${version}`, license, text: text.trim() };
}

/** To be called when all bundles are built. */
export async function writeLicenses(): Promise<void> {
  const licenses = await Promise.all(
    [...bundledPackages].map((directory) => licenseOf(join(root, directory))),
  );
  const sections = licenses
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, license, text }) => `${'='.repeat(80)}\n${name} (${license})\n\n${text}\n`);
  const head = 'The files in this directory contain code of these packages.\n';
  await writeFile(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), [head, ...sections].join('\n'));
}
