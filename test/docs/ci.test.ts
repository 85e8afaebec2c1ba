import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadDefinitions } from '../../src/cli/definitions/index.js';

/** Lists the permissions that the contract asks of a command. */
async function permissionsOf(name: string): Promise<string[]> {
  const { commands } = await loadDefinitions();
  const texts = commands.find((command) => command.name === name)?.permissions() ?? [];
  const permissions = texts.flatMap((text) => /^[a-z]+:[a-z]+/.exec(text)?.[0] ?? []);
  return [...new Set(permissions)].sort();
}

test('docs/ci.md lists the permissions that plan and apply need', async () => {
  const text = await readFile('docs/ci.md', 'utf8');
  const lists = [...text.matchAll(/```\n((?:[a-z]+:[a-z]+\s)+)```/g)].map(([, list = '']) =>
    list.trim().split(/\s+/),
  );
  expect(lists).toEqual([await permissionsOf('plan'), await permissionsOf('apply')]);
});
