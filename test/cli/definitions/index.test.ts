import { describe, expect, test } from 'vitest';
import { COMMANDS, NOUNS } from '../../../src/cli/definitions/index.js';

describe('the command table', () => {
  test('every command can be loaded', async () => {
    const modules = await Promise.all(COMMANDS.map(({ load }) => load()));
    expect(modules.every(({ run }) => typeof run === 'function')).toBe(true);
  });

  test('every command has an example, every noun a summary', () => {
    expect(COMMANDS.filter(({ hidden, examples }) => !hidden && examples.length === 0)).toEqual([]);
    const nouns = COMMANDS.map(({ name }) => name.split(' ').slice(0, -1).join(' ')).filter(Boolean);
    expect(nouns.filter((noun) => !NOUNS[noun])).toEqual([]);
  });

  test('no two commands share a name or an alias', () => {
    const names = COMMANDS.flatMap(({ name, aliases = [] }) => [
      name,
      ...aliases.map((alias) => [...name.split(' ').slice(0, -1), alias].join(' ')),
    ]);
    expect(new Set(names).size).toBe(names.length);
  });
});
