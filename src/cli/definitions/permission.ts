import { APPLICATION_TYPES } from '../../contract/permissions.js';
import { type CommandRow, defineCommand } from '../command.js';

export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'permission list',
    summary: 'List the permissions and the application types that can have them',
    operations: ['permissions.list'],
    result: 'permissions.list',
    flags: {
      type: {
        value: 'TYPE',
        suggest: APPLICATION_TYPES,
        description: 'only permissions that applications of this type can have',
      },
    },
    examples: [
      {
        does: 'What a management application can do, as a table.',
        command: 'tokenctl permission list --type management --output table',
      },
    ],
    load: () => import('../commands/permission/list.js'),
  }),
];
