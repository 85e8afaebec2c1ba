import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir, tokenctl } from '../../../support/executable.js';

test('reactor build prints what deploy would send', async () => {
  const cwd = await projectDir({
    'plain.js': 'module.exports = async () => ({});\n',
    'typed.ts':
      "import { one } from './one.js';\nexport default async (): Promise<object> => ({ raw: one });\n",
    'one.ts': 'export const one: number = 1;\n',
    'tokenctl.json': JSON.stringify({
      reactors: ['plain.js', 'typed.ts'].map((code) => ({ name: code, code })),
    }),
  });
  const printed = async (command: string) => (await tokenctl(command, { cwd })).stdout;
  expect(await printed('reactor build plain.js')).toBe('module.exports = async () => ({});\n');
  const { reactors } = JSON.parse(await printed('reactor build --json'));
  expect(reactors).toMatchObject([
    { name: 'plain.js', file: 'plain.js', minified: false },
    {
      name: 'typed.ts',
      source_map: { version: 3, sources: expect.arrayContaining([`${cwd}/one.ts`, `${cwd}/typed.ts`]) },
    },
  ]);
  expect(await printed('reactor build')).toBe(
    reactors
      .map(({ name, code }: Record<string, string>) => `// ${name} (${name})\n${code?.trimEnd()}\n`)
      .join('\n'),
  );
  expect(await tokenctl('reactor build missing.ts', { cwd })).toMatchObject({ code: 2 });
});

test('--minify and the manifest minify code of any length, except what is uploaded as it is', async () => {
  const code = 'module.exports = async () => {\n  return { raw: 1 };\n};\n';
  const cwd = await projectDir({
    ...Object.fromEntries(['a.js', 'b.js', 'c.js'].map((name) => [name, code])),
    'tokenctl.yaml':
      'reactors:\n  - code: a.js\n  - { code: b.js, minify: true }\n  - { code: c.js, bundle: false }\n',
  });
  const minified = async (flags: string) =>
    (await tokenctl(`reactor build ${flags} --json`, { cwd })).json.reactors.map(
      (built: { code: string; minified: boolean }) => built.minified && built.code.length < code.length + 40,
    );
  expect(await minified('')).toEqual([false, true, false]);
  expect(await minified('--minify')).toEqual([true, true, false]);
});

test('modules that the runtime provides are named once, for all code or in an environment, and more by a reactor', async () => {
  const cwd = await projectDir({
    'a.js': `module.exports = [require('one'), require('two')];`,
    'b.js': `module.exports = require('one');`,
    'tokenctl.yaml': `external: [one]
environments: { test: { external: [two] } }
reactors:
  - { name: a, code: a.js, only: [test] }
  - { code: b.js }
  - { name: c, code: a.js, external: [two] }
`,
  });
  const builds = async (command: string) => (await tokenctl(`reactor build ${command}`, { cwd })).code;
  expect(await builds('')).toBe(0);
  expect(await builds('--environment test')).toBe(0);
  expect(await builds('b.js')).toBe(0);
  await rm(join(cwd, 'tokenctl.yaml'));
  expect(await builds('b.js')).toBe(2);
});
