import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { ROOT } from '../support/packed-package.js';

const IMPORT = /(?:^import (?!type )[^;]*?from |^export (?!type )[^;]*?from |\bimport\()'([^'.#][^']*)'/gm;

/** Packages that are installed with this package, not bundled. */
const INSTALLED = { ...packageJson.dependencies, ...packageJson.peerDependencies };

/** The packages that the sources import and the bundles contain. */
async function importedPackages(): Promise<Set<string>> {
  const names = new Set<string>();
  for (const folder of ['src', 'emulator']) {
    for (const file of await readdir(join(ROOT, folder), { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const text = await readFile(join(ROOT, folder, file), 'utf8');
      for (const [, specifier = ''] of text.matchAll(IMPORT)) {
        const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
        if (!isBuiltin(specifier) && !(name in INSTALLED)) names.add(name);
      }
    }
  }
  return names;
}

test('the licenses of the packages in the bundles are published with them', async () => {
  const text = await readFile(join(ROOT, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  const sections = text.split(/^={80}$/m).slice(1);
  const licensed = new Map(
    sections.map((section) => [/^\n(\S+) \S+ \([^\n]+\)\n/.exec(section)?.[1] ?? '', section]),
  );
  const imported = await importedPackages();
  expect([...imported]).toEqual(expect.arrayContaining(['commander', 'fastify', 'jq-wasm', 'zod']));
  const missing = [...imported].filter((name) => (licensed.get(name)?.length ?? 0) < 200);
  expect(missing).toEqual([]);
  // Packages that these import are covered too.
  expect([...licensed.keys()]).toEqual(expect.arrayContaining(['find-my-way', '@inquirer/core']));
});
