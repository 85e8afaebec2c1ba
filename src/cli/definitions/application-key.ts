import { RESOURCES } from '../../contract/resources.js';
import { type CommandRow, defineCommand, from } from '../command.js';
import { expiryFlag } from '../flags/flag.js';
import { resourceArgument } from './resource-commands.js';

const keysModule = () => import('../commands/application/keys.js');
const rotateKeyModule = () => import('../commands/application/rotate-key.js');

export const APPLICATION_ARGUMENT = resourceArgument(RESOURCES.application);

/** Asked for by commands that can take away the access that they run with. */
export const CONFIRM_FLAG = {
  confirm: {
    value: 'NAME',
    description:
      'name of the application, as confirmation if the command would end its own access; prompted for if missing',
  },
} as const;

export const keyCommands: readonly CommandRow[] = [
  defineCommand('application key list', from(keysModule, 'listKeys'), {
    summary: 'List the keys of one or all applications, but not the secrets themselves',
    prints: 'applications.keys.list',
    operations: ['applications.list'],
    addedFields: ['application'],
    arguments: {
      application: {
        ...APPLICATION_ARGUMENT,
        optional: true,
        description: 'application id or exact name; by default, the keys of all applications',
      },
    },
    examples: {
      'See which keys still work.': 'tokenctl application key list support',
      'Find a leaked key, and its application, by its last four characters.': `tokenctl application key list --jq '.data[] | select(.last4 == "x7Qk")'`,
    },
  }),
  defineCommand('application key create', from(keysModule, 'createKey'), {
    summary: 'Give an application another key; it is shown only once',
    prints: 'applications.keys.create',
    arguments: { application: APPLICATION_ARGUMENT },
    flags: {
      name: { value: 'NAME', description: 'name of the key, such as the program that uses it' },
      expires: expiryFlag('when the key stops working'),
    },
    examples: {
      'A key for a contractor, valid for 30 days.': 'tokenctl application key create support --expires 30d',
    },
  }),
  defineCommand('application key rotate', from(rotateKeyModule, 'run'), {
    summary: 'Replace the key of an application without an outage',
    details:
      'Creates a new key. The replaced key expires after --overlap, is deleted at once with --overlap 0, and stays valid until you delete it without --overlap. Other keys are unchanged.',
    prints: 'applications.keys.create',
    operations: ['applications.keys.list', 'applications.keys.update', 'applications.keys.delete'],
    arguments: { application: APPLICATION_ARGUMENT },
    flags: {
      key: {
        value: 'ID',
        description:
          'the key to replace, by its id or last four characters; the only one, or the one in use, by default',
      },
      overlap: {
        value: 'DURATION',
        description: 'how long the replaced key stays valid; until it is deleted by default',
      },
      ...CONFIRM_FLAG,
    },
    examples: {
      'Give callers a day to change over to the new key.':
        'tokenctl application key rotate support --overlap 24h',
    },
  }),
  defineCommand('application key update', from(keysModule, 'updateKey'), {
    summary: 'Set when a key of an application expires, or its name',
    prints: 'applications.keys.update',
    operations: ['applications.keys.get'],
    arguments: {
      application: APPLICATION_ARGUMENT,
      keyId: { description: 'key id, see: tokenctl application key list' },
    },
    flags: {
      expires: expiryFlag('when the key stops working, or never'),
      name: { value: 'NAME', description: 'name of the key, such as the program that uses it' },
      ...CONFIRM_FLAG,
    },
    examples: {
      'End a leaked key in an hour.': 'tokenctl application key update support "$KEY_ID" --expires 1h',
    },
  }),
  defineCommand('application key delete', from(keysModule, 'deleteKey'), {
    summary: 'Delete a key of an application; it stops working',
    operations: ['applications.keys.delete', 'applications.keys.get'],
    arguments: {
      application: APPLICATION_ARGUMENT,
      keyId: { description: 'key id, see: tokenctl application key list' },
    },
    flags: CONFIRM_FLAG,
    examples: { 'Delete without confirmation.': 'tokenctl application key delete support "$KEY_ID" --yes' },
  }),
];
