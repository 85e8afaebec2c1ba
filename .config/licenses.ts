// Writes the licenses of everything that the bundles contain.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundledPackages, output, root } from './bundle.js';

/** The license of a package: its license files or, without any, what its package.json says and its whole README. */
async function licenseOf(directory: string) {
  const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
  const { name, version, license, author } = manifest;
  if (typeof license !== 'string') throw new Error(`${directory} has no license.`);
  const names = await readdir(directory);
  const filesNamed = (start: RegExp) => names.filter((file) => start.test(file)).sort();
  const licenses = filesNamed(/^(licen[cs]e|copying|notice)/i);
  const files = licenses.length > 0 ? licenses : filesNamed(/^readme(\.|$)/i);
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  const holder = typeof author === 'string' ? author : author?.name;
  if (licenses.length === 0) texts.unshift([license, holder].filter(Boolean).join(', '));
  return { name: `${name} ${version}`, license, text: texts.map((text) => text.trim()).join('\n\n') };
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
  await writeFile(join(root, output, 'THIRD-PARTY-LICENSES.txt'), [head, ...sections].join('\n'));
}
