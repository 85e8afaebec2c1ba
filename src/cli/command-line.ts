import type { CommandRow } from './command.js';
import { FIRST_WORDS, loadCommands } from './definitions/index.js';
import type { SelectedCommand } from './program.js';

function isTyped({ name, aliases = [] }: CommandRow, words: readonly string[]): boolean {
  const path = name.split(' ');
  return path.every((part, index) => {
    const word = words[index] ?? '';
    return part === word || (index === path.length - 1 && aliases.includes(word));
  });
}

/** Selects the commands that parsing needs: the typed one; else those of all nouns among the words, and a line of every other. */
export async function selectCommands(words: readonly string[]): Promise<SelectedCommand[]> {
  if (words[0] === '--version') return [];
  const wanted = FIRST_WORDS.filter((word) => words.includes(word));
  const commands = await loadCommands(wanted);
  const typed = commands.filter((row) => isTyped(row, words));
  // A command may have others below it, such as `emulator requests verify`, which its help lists.
  const isBelowTyped = ({ name }: CommandRow) => typed.some((one) => name.startsWith(`${one.name} `));
  if (typed.length > 0) return commands.filter((row) => typed.includes(row) || isBelowTyped(row));
  return FIRST_WORDS.flatMap((word): SelectedCommand[] =>
    wanted.includes(word) ? commands.filter(({ name }) => name.replace(/ .*/, '') === word) : [word],
  );
}

/** Whether it is one of this machine, the command checks. */
const ADDRESS = /^(?:\S*:)?\d+$/;

/** Flags whose value is optional, and what it looks like. */
const OPTIONAL_VALUES: Readonly<Record<string, RegExp>> = {
  '--json': /^[A-Za-z_][\w.]*(,[A-Za-z_][\w.]*)*$/,
  '--inspect': ADDRESS,
  '--inspect-brk': ADDRESS,
};

/** The version is asked of other tools as `version` and `-v`. */
export const normalizeVersion = (words: readonly string[]): readonly string[] =>
  /^(-v|version)$/.test(words.join(' ')) ? ['--version'] : words;

/**
 * Makes the optional value of a flag explicit: `--json=`. Because it is optional, the flag can precede a noun
 * (`tokenctl --json token get …`) or an argument (`token get --json <id>`, `reactor run --inspect <file>`). The next word is its
 * value only if it looks like one and follows the command.
 */
export function normalizeOptionalValues(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  const last = end < 0 ? words.length : end;
  const noun = words.findIndex((word) => FIRST_WORDS.includes(word));
  return words.map((word, index) => {
    const pattern = OPTIONAL_VALUES[word];
    if (pattern === undefined || index >= last) return word;
    const next = words[index + 1];
    const isValue = index > noun && next !== undefined && pattern.test(next);
    return isValue ? word : `${word}=`;
  });
}
