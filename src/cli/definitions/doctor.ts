import { type CommandRow, defineCommand } from '../command.js';
import { SUMMARIES } from './summaries.js';

export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'doctor',
    summary: SUMMARIES.doctor,
    details:
      'Checks configuration, data directory, emulator and port, then the way to the service: address, protocol, certificate, proxy, clock, keys and permissions. No key is sent to a server that is not a tokenization service. The exit code is the one that commands have because of the problem: 7 if the service cannot be reached, 4 for a key or permission, 5 for a wrong path; 1 for anything else or several causes.',
    operations: ['applications.key'],
    flags: {
      permission: {
        value: 'PERMISSION',
        list: true,
        suggest: 'permission',
        description:
          'permission that you need; by default, all that an application of the type of the key may hold',
      },
      port: {
        value: 'N',
        integer: true,
        description: 'port that the emulator is to listen on, 8787 by default',
      },
    },
    examples: [
      {
        does: 'Check a limited key for what it is meant to do.',
        command: 'tokenctl doctor --permission token:read,token:search',
      },
      { does: 'Print only problems.', command: `tokenctl doctor --jq '.checks[] | select(.status != "ok")'` },
    ],
    load: () => import('../commands/doctor.js'),
  }),
];
