import { expect, test } from 'vitest';
import { tokenctl } from '../../../support/executable.js';
import { projectDir } from '../../../support/project-dir.js';

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
