import { NOUNS, type Noun } from './resources.js';

export type LogEntityType = 'token' | 'tenant' | Noun;

/** What the audit log has entries of. */
export const LOG_ENTITY_TYPES: readonly LogEntityType[] = ['token', 'tenant', ...NOUNS];

/** Says that entries of the audit log may be gone. @param completeFrom the time from which on it has every entry */
export const describeLogGap = (completeFrom: string): string =>
  `Entries before ${completeFrom} may be gone: newer ones have pushed them out.`;
