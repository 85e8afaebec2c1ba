import { type CommandRow, defineCommand } from '../command.js';
import { SUMMARIES } from './summaries.js';

export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'verify',
    summary: SUMMARIES.verify,
    details:
      'Sends the same requests to a temporary emulator and to the service, replaces ids, times and fingerprints by placeholders, and compares the responses. Everything it creates is deleted again. Exits 3 if the responses differ.',
    operations: [
      'tokens.create',
      'tokens.list',
      'tokens.update',
      'tokens.delete',
      'reactors.create',
      'reactors.list',
      'reactors.update',
      'reactors.delete',
      'reactors.react',
      'tenants.get',
      'tenants.usage',
    ],
    flags: {
      remote: {
        description:
          'confirm that tokens and a reactor may be created on the service; they are deleted again',
      },
    },
    examples: [
      {
        does: 'Show the differences as a table.',
        command: 'tokenctl verify --remote --profile staging -o table',
      },
    ],
    load: () => import('../commands/verify.js'),
  }),
];
