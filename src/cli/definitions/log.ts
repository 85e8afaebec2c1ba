import { type CommandRow, defineCommand } from '../command.js';
import { LOG_FLAGS } from '../flags/log-flags.js';

export const commands: readonly CommandRow[] = [
  defineCommand('log entity-types', {
    summary: 'List the types of entities that the audit log has entries of',
    operations: ['logs.entityTypes'],
    result: 'logs.entityTypes',
    examples: { 'As text.': "tokenctl log entity-types --jq '.data[].value'" },
    load: async () => (await import('../commands/log/list.js')).listEntityTypes,
  }),
  defineCommand('log list', {
    summary: 'List the entries of the audit log',
    operations: ['logs.list'],
    result: 'logs.list',
    flags: LOG_FLAGS,
    examples: {
      'Show who revealed token data yesterday. Days begin at midnight UTC.':
        'tokenctl log list --transform reveal --since yesterday --until today',
      'Show who did what with a token.':
        'tokenctl log list --entity-type token --entity-id customer-1042-card',
      'Show who read tokens within a day, and how their data was shown.':
        'tokenctl log list --entity-type token --operation read --since 24h',
    },
    load: async () => (await import('../commands/log/list.js')).listLog,
  }),
];
