import { COMMANDS } from './definitions/index.js';

const FIELD_LIST = /^[A-Za-z_][\w.]*(,[A-Za-z_][\w.]*)*$/;

/**
 * The words typed, with the value of `--json` made certain. It is optional, so that `--json` may stand before a noun
 * (`tokenctl --json token get …`) or before an id (`token get --json <id>`): only what looks like a list of fields,
 * after the command, is its value.
 */
export function normalizeJsonFlag(words: readonly string[]): string[] {
  const nouns = new Set(COMMANDS.map(({ name }) => name.split(' ')[0]));
  const end = words.indexOf('--');
  const last = end < 0 ? words.length : end;
  const noun = words.findIndex((word) => nouns.has(word));
  return words.map((word, index) => {
    if (word !== '--json' || index >= last) return word;
    const next = words[index + 1];
    const isValue = index > noun && next !== undefined && FIELD_LIST.test(next);
    return isValue ? word : '--json=';
  });
}
