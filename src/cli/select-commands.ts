import type { CommandRow } from './command.js';
import { FIRST_WORDS, loadCommands } from './definitions/index.js';

/** A command that a process needs, or the first word of commands of which it needs the line in the list of commands only. */
export type SelectedCommand = CommandRow | string;

const firstWord = ({ name }: CommandRow): string => name.replace(/ .*/, '');

/** Whether the first words are a command: its name or one of its aliases. */
function isTyped({ name, aliases = [] }: CommandRow, words: readonly string[]): boolean {
  const path = name.split(' ');
  return path.every((part, index) => {
    const word = words[index] ?? '';
    return part === word || (index === path.length - 1 && aliases.includes(word));
  });
}

/**
 * Selects the commands that are needed to parse a command line: the one that it starts with; otherwise, for help texts and
 * suggestions, the commands of all nouns among the words and a line of every other.
 */
export async function selectCommands(words: readonly string[]): Promise<SelectedCommand[]> {
  if (words[0] === '--version') return [];
  const wanted = FIRST_WORDS.filter((word) => words.includes(word));
  const commands = await loadCommands(wanted);
  const typed = commands.filter((row) => isTyped(row, words));
  // A command may have others below it, such as `emulator requests verify`, which its help lists.
  const isBelowTyped = ({ name }: CommandRow) => typed.some((one) => name.startsWith(`${one.name} `));
  if (typed.length > 0) return commands.filter((row) => typed.includes(row) || isBelowTyped(row));
  return FIRST_WORDS.flatMap((word): SelectedCommand[] =>
    wanted.includes(word) ? commands.filter((row) => firstWord(row) === word) : [word],
  );
}
