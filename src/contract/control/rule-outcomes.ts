/** What came of a rule when it was tried, as people read it. */
export const RULE_OUTCOMES = {
  /** It is the first that covers a container and grants the permission. */
  decides: 'decides',
  /** It grants the permission, on one of several containers. */
  grants: 'grants it',
  /** It covers a container and does not grant the permission. */
  lacks_permission: 'does not grant the permission',
  /** It covers none of the containers. */
  other_container: 'covers other containers',
  /** A rule of higher priority had decided. */
  not_reached: 'not tried',
} as const;

export type RuleOutcome = keyof typeof RULE_OUTCOMES;
