import { type CommandRow, defineCommand } from '../command.js';
import { SUMMARIES } from './summaries.js';

export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'api',
    summary: SUMMARIES.api,
    details:
      'The method and path determine the operation and therefore which key is used. Values that may be token data are hidden unless --reveal is given. What deletes something, or ends a key, asks as its own command does.',
    arguments: {
      method: {
        suggest: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        description: 'GET, POST, PUT, PATCH or DELETE',
      },
      path: { description: 'path and query, relative to the base URL' },
    },
    flags: {
      data: { value: 'JSON|@FILE|-', description: 'request body' },
      header: { value: 'NAME: VALUE', list: true, description: 'request header' },
      confirm: {
        value: 'NAME',
        description:
          'name of the tenant to delete, or of the application of the command itself whose access ends; prompted for if missing',
      },
    },
    examples: [
      { does: 'List tokens with a filter.', command: `tokenctl api GET '/tokens?type=card&size=5'` },
      {
        does: 'Send a merge patch.',
        command: `tokenctl api PATCH /tokens/customer-1042-card --data '{"metadata":{"seen":"yes"}}'`,
      },
    ],
    load: () => import('../commands/api.js'),
  }),
];
