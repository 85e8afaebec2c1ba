import { LOG_ENTITY_TYPES, LOG_OPERATIONS } from '../../contract/audit-log.js';
import { TRANSFORMS } from '../../contract/permissions.js';
import { type CommandRow, defineCommand } from '../command.js';
import { PAGE_FLAGS } from '../flags/globals.js';

export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'log entity-types',
    summary: 'List the types of entities that the audit log has entries of',
    operations: ['logs.entityTypes'],
    result: 'logs.entityTypes',
    examples: { 'As text.': "tokenctl log entity-types --jq '.data[].value'" },
    load: async () => ({ run: (await import('../commands/log/list.js')).listEntityTypes }),
  }),
  defineCommand({
    name: 'log list',
    summary: 'List the entries of the audit log',
    operations: ['logs.list'],
    result: 'logs.list',
    flags: {
      entityType: {
        value: 'TYPE',
        suggest: LOG_ENTITY_TYPES,
        description: 'only entries about this entity type',
      },
      entityId: { value: 'ID', description: 'only entries about this entity' },
      actor: {
        value: 'ID|NAME',
        suggest: 'application',
        description: 'only what this application or reactor did',
      },
      operation: {
        value: 'NAME',
        suggest: LOG_OPERATIONS,
        description: 'only entries of this operation',
      },
      transform: {
        value: 'NAME',
        suggest: TRANSFORMS,
        description: 'only entries that showed token data in this way: reveal, mask or redact',
      },
      since: {
        value: 'TIME',
        description: 'only entries from this time on: ISO 8601, today, yesterday, or 24h for a day ago',
      },
      until: { value: 'TIME', description: 'only entries up to this time, in the same formats' },
      follow: { description: 'continue with new entries as they are written, until Ctrl-C' },
      ...PAGE_FLAGS,
    },
    examples: {
      'Show who revealed token data yesterday. Days begin at midnight UTC.':
        'tokenctl log list --transform reveal --since yesterday --until today',
      'Show who did what with a token.':
        'tokenctl log list --entity-type token --entity-id customer-1042-card',
      'Show who read tokens within a day, and how their data was shown.':
        'tokenctl log list --entity-type token --operation read --since 24h',
    },
    load: async () => ({ run: (await import('../commands/log/list.js')).listLog }),
  }),
];
