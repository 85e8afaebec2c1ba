import type { Metafile } from 'esbuild';
import { expect, test } from 'vitest';
import { listLargestParts } from '../../../../src/cli/reactors/build/bundle.js';

function metafile(bytes: Record<string, number>): Metafile {
  const inputs = Object.fromEntries(
    Object.entries(bytes).map(([path, size]) => [path, { bytesInOutput: size }]),
  );
  return { inputs: {}, outputs: { 'reactor.js': { bytes: 0, imports: [], exports: [], inputs } } };
}

test('adds up the files of a package and lists the largest part first', () => {
  const parts = listLargestParts(
    metafile({ 'charge.ts': 250, 'node_modules/zod/a.js': 500, 'node_modules/zod/b.js': 250 }),
    (path) => `src/${path}`,
  );
  expect(parts).toEqual(['zod: 750 bytes (75 %)', 'src/charge.ts: 250 bytes (25 %)']);
});

test('names scoped packages and the innermost of nested ones', () => {
  const parts = listLargestParts(
    metafile({ '../node_modules/a/node_modules/@scope/name/lib/index.js': 1_000 }),
    (path) => path,
  );
  expect(parts).toEqual(['@scope/name: 1,000 bytes (100 %)']);
});

test('lists at most 8 parts', () => {
  const bytes = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.ts`, index + 1]));
  expect(listLargestParts(metafile(bytes), (path) => path)).toHaveLength(8);
});
