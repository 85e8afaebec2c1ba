import { NOUNS, type Noun } from './resources.js';

const OTHER_TYPES = ['token', 'token-intent', 'session', 'key', 'tenant'] as const;
export type LogEntityType = (typeof OTHER_TYPES)[number] | Noun;
export const LOG_ENTITY_TYPES: readonly LogEntityType[] = [...OTHER_TYPES, ...NOUNS];

/** What an entry says was done, as in its message and in the type of a webhook event. */
export const PAST = {
  create: 'created',
  read: 'read',
  update: 'updated',
  delete: 'deleted',
  use: 'used',
  list: 'listed',
} as const;

export type LogOperation = keyof typeof PAST;
export const LOG_OPERATIONS = Object.keys(PAST) as [LogOperation, ...LogOperation[]];

export const LOG_ACTOR_TYPES = ['application', 'reactor', 'proxy', 'system'] as const;

/** Says that entries of the audit log may be gone. @param completeFrom the time from which on it has every entry */
export const describeLogGap = (completeFrom: string): string =>
  `Entries before ${completeFrom} may be gone: newer ones have pushed them out.`;
