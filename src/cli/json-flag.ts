import { FIRST_WORDS } from './definitions/index.js';

const FIELD_LIST = /^[A-Za-z_][\w.]*(,[A-Za-z_][\w.]*)*$/;

/**
 * Makes the optional value of `--json` explicit. Because it is optional, `--json` can precede a noun
 * (`tokenctl --json token get …`) or an id (`token get --json <id>`). The next word is its value only if it looks like a
 * list of fields and follows the command.
 * @returns the words, with `--json=` for a flag without a value
 */
export function normalizeJsonFlag(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  const last = end < 0 ? words.length : end;
  const noun = words.findIndex((word) => FIRST_WORDS.includes(word));
  return words.map((word, index) => {
    if (word !== '--json' || index >= last) return word;
    const next = words[index + 1];
    const isValue = index > noun && next !== undefined && FIELD_LIST.test(next);
    return isValue ? word : '--json=';
  });
}
