import { expect, test } from 'vitest';
import { FIRST_WORDS, loadDefinitions } from '../../../src/cli/definitions/index.js';

const { commands, summaries } = await loadDefinitions();

test('every command can be loaded', async () => {
  const functions = await Promise.all(commands.map(({ load }) => load()));
  expect(functions.every((run) => typeof run === 'function')).toBe(true);
});

test('every command has an example, every noun a summary', () => {
  expect(commands.filter(({ hidden, examples }) => !hidden && !Object.keys(examples)[0])).toEqual([]);
  const nouns = commands.map(({ name }) => name.split(' ').slice(0, -1).join(' ')).filter(Boolean);
  expect(nouns.filter((noun) => !(noun in summaries))).toEqual([]);
});

test('every command is found by its first word, and listed in the help text', () => {
  const words = commands.map(({ name }) => name.split(' ')[0]);
  expect(new Set(words)).toEqual(new Set(FIRST_WORDS));
  const listed = commands.filter(({ hidden }) => !hidden).map(({ name }) => name.split(' ')[0]);
  expect(new Set(listed)).toEqual(new Set(Object.keys(summaries).filter((name) => !name.includes(' '))));
});

test('no two commands share a name or an alias', () => {
  const names = commands.flatMap(({ name, aliases = [] }) => [
    name,
    ...aliases.map((alias) => [...name.split(' ').slice(0, -1), alias].join(' ')),
  ]);
  expect(new Set(names).size).toBe(names.length);
});
