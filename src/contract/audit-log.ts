/** What the audit log has entries of. */
export const LOG_ENTITY_TYPES = ['token', 'reactor', 'application', 'tenant', 'proxy', 'webhook'] as const;

/** Says that entries of the audit log may be gone. @param completeFrom the time from which on it has every entry */
export const describeLogGap = (completeFrom: string): string =>
  `Entries before ${completeFrom} may be gone: newer ones have pushed them out.`;
