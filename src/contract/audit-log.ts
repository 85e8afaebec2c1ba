import { NOUNS, type Noun } from './resources.js';

export type LogEntityType = 'token' | 'token-intent' | 'session' | 'key' | 'tenant' | Noun;

export const LOG_ENTITY_TYPES: readonly LogEntityType[] = [
  ...['token' as const, 'token-intent' as const, 'session' as const, 'key' as const, 'tenant' as const],
  ...NOUNS,
];

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
export type LogActorType = (typeof LOG_ACTOR_TYPES)[number];

/** Says that entries of the audit log may be gone. @param completeFrom the time from which on it has every entry */
export const describeLogGap = (completeFrom: string): string =>
  `Entries before ${completeFrom} may be gone: newer ones have pushed them out.`;
