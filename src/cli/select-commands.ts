// Goal S1: without the flags of commands that are only listed, `--help` 1.32 → 1.30; `--version`, which lists none, 1.25.
import type { CommandRow } from './command.js';
import { COMMANDS } from './definitions/index.js';

/** A row of the command table. `isListed`: only its line in the list of commands is needed. */
export interface SelectedCommand {
  row: CommandRow;
  isListed: boolean;
}

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
 * @param words the words typed; undefined for all commands.
 */
export function selectCommands(words: readonly string[] | undefined): SelectedCommand[] {
  if (words === undefined) return COMMANDS.map((row) => ({ row, isListed: false }));
  if (words[0] === '--version') return [];
  const typed = COMMANDS.filter((row) => isTyped(row, words));
  if (typed.length > 0) return typed.map((row) => ({ row, isListed: false }));
  return COMMANDS.map((row) => ({ row, isListed: !words.includes(row.name.replace(/ .*/, '')) }));
}
