import { type CommandRow, defineCommand } from '../command.js';
import { SUMMARIES } from './summaries.js';

export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'init',
    summary: SUMMARIES.init,
    details: 'Existing files are overwritten only after confirmation or with --force.',
    arguments: {
      directory: { optional: true, description: 'project directory; the current directory by default' },
    },
    flags: { force: { description: 'overwrite existing files' } },
    examples: [{ does: 'Create a project in a new directory.', command: 'tokenctl init payments' }],
    load: () => import('../commands/init.js'),
  }),
];
