import { type CommandRow, defineCommand } from '../command.js';

export const APPLICATION_ARGUMENT = {
  suggest: 'application',
  description: 'application id or exact name',
} as const;

/** Asked for by commands that can take away the access that they run with. */
export const CONFIRM_FLAG = {
  confirm: {
    value: 'NAME',
    description:
      'name of the application, as confirmation if the command would end its own access; prompted for if missing',
  },
} as const;

export const keyCommands: readonly CommandRow[] = [
  defineCommand({
    name: 'application key list',
    summary: 'List the keys of an application, without the keys themselves',
    operations: ['applications.keys.list'],
    result: 'applications.keys.list',
    arguments: { application: APPLICATION_ARGUMENT },
    examples: [{ does: 'See which keys still work.', command: 'tokenctl application key list support' }],
    load: () => import('../commands/application/key/list.js'),
  }),
  defineCommand({
    name: 'application key create',
    summary: 'Give an application another key; it is shown only once',
    operations: ['applications.keys.create'],
    result: 'applications.keys.create',
    arguments: { application: APPLICATION_ARGUMENT },
    flags: {
      expires: {
        value: 'TIME',
        description: 'when the key stops working: ISO 8601, or a duration such as 30d',
      },
    },
    examples: [
      {
        does: 'A key for a contractor, valid for 30 days.',
        command: 'tokenctl application key create support --expires 30d',
      },
    ],
    load: () => import('../commands/application/key/create.js'),
  }),
  defineCommand({
    name: 'application key rotate',
    summary: 'Replace the key of an application without an outage',
    details:
      'Creates a new key; the old ones stay valid until they are deleted. With --overlap, keys that were replaced longer ago than that are deleted, so that a scheduled rotation cleans up after itself; --overlap 0 deletes all old keys at once.',
    operations: ['applications.keys.list', 'applications.keys.create', 'applications.keys.delete'],
    result: 'applications.keys.create',
    arguments: { application: APPLICATION_ARGUMENT },
    flags: {
      overlap: {
        value: 'DURATION',
        description: 'how long a replaced key stays valid; until it is deleted by default',
      },
    },
    examples: [
      {
        does: 'Run every week by a scheduler: the key of the week before stays valid for a day at least.',
        command: 'tokenctl application key rotate support --overlap 24h',
      },
    ],
    load: () => import('../commands/application/key/rotate.js'),
  }),
  defineCommand({
    name: 'application key delete',
    summary: 'Delete a key of an application; it stops working',
    operations: ['applications.keys.delete', 'applications.keys.get'],
    arguments: {
      application: APPLICATION_ARGUMENT,
      keyId: { description: 'key id, see: tokenctl application key list' },
    },
    flags: CONFIRM_FLAG,
    examples: [
      {
        does: 'Delete without confirmation.',
        command: 'tokenctl application key delete support "$KEY_ID" --yes',
      },
    ],
    load: () => import('../commands/application/key/delete.js'),
  }),
];
