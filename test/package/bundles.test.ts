import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { expect, test } from 'vitest';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Counts `import()` in CommonJS, where nothing else is an `import`. */
function countImports(source: string): number {
  let count = 0;
  parse(source, {
    ecmaVersion: 'latest',
    sourceType: 'script',
    allowReturnOutsideFunction: true,
    onToken: ({ type }) => {
      if (type.keyword === 'import') count += 1;
    },
  });
  return count;
}

test('no bundle has a dynamic import, which fails once V8 takes the bundle from the code cache', async () => {
  const bundles = (await readdir(DIST, { recursive: true })).filter((name) => name.endsWith('.cjs'));
  expect(bundles).toContain('sandbox-thread.cjs');
  const counts = await Promise.all(
    bundles.map(async (name) => [name, countImports(await readFile(`${DIST}${name}`, 'utf8'))] as const),
  );
  expect(counts.filter(([, count]) => count > 0)).toEqual([]);
});
