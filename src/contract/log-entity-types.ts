/** What the audit log has entries of. */
export const LOG_ENTITY_TYPES = ['token', 'reactor', 'application', 'tenant', 'proxy', 'webhook'] as const;
