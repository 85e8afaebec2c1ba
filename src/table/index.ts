import type { CommandRow } from './define.js';
import { tokenCommands } from './token.js';

/** What the words before a verb stand for; each alone prints its help. */
export const NOUNS: Readonly<Record<string, string>> = {
  token: 'Store, read and change tokens',
};

/** Every command, in the order of the help text. */
export const COMMANDS: readonly CommandRow[] = [...tokenCommands];
