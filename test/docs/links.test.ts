import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

it.each(documents)('every relative link of %s points to an existing file', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) => target);
  const missing = targets.filter((target) => !existsSync(resolve(root, dirname(document), target)));
  expect(missing).toEqual([]);
});

it('every path that the map for contributors names exists', () => {
  const text = readFileSync(join(root, 'docs/contributing.md'), 'utf8');
  const paths = [...text.matchAll(/`((?:src|emulator|test|docs|fixtures|bench|\.config)\/[\w./-]*)`/g)].map(
    ([, path = '']) => path,
  );
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
