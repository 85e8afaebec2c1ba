import { LOG_ENTITY_TYPES, LOG_OPERATIONS } from '../../contract/audit-log.js';
import { TRANSFORMS } from '../../contract/permissions.js';
import type { Flags, FlagValues } from './flag.js';
import { PAGE_FLAGS } from './globals.js';

export const LOG_FLAGS = {
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
} as const satisfies Flags;

export type LogOptions = FlagValues<typeof LOG_FLAGS>;
