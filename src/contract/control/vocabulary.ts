// What commands and the dashboard know of the control endpoints without their schemas, and so without zod.

export const EVENT_KINDS = [
  'request',
  'reactor.log',
  'reactor.request',
  'reactor.call',
  'callback',
  'webhook',
  'clock',
  'faults',
  'reset',
  'snapshot',
] as const;

export const CONSOLE_LEVELS = ['debug', 'log', 'info', 'warn', 'error'] as const;
export type ConsoleLevel = (typeof CONSOLE_LEVELS)[number];

/** The comment in an event stream between the recent events and those that follow. */
export const LIVE_COMMENT = ': live';

const DATA = 'data: ';

/** Returns the data of a block of an event stream. JSON may contain U+2028, at which a pattern would end a line. */
export const eventDataOf = (block: string): string | undefined =>
  block
    .split('\n')
    .find((line) => line.startsWith(DATA))
    ?.slice(DATA.length);

/** Upper bounds of latency buckets in milliseconds, about five per decade; a last one holds what took longer. */
export const LATENCY_BOUNDS_MS = [
  0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000,
  1_500, 2_000, 3_000, 5_000, 7_000, 10_000, 15_000, 20_000, 30_000, 60_000, 120_000, 240_000,
] as const;

/** What came of a rule when it was tried, as people read it. */
export const RULE_OUTCOMES = {
  /** It is the first that covers a container and grants the permission. */
  decides: 'decides',
  grants: 'grants it',
  lacks_permission: 'does not grant the permission',
  other_container: 'covers other containers',
  /** A rule of higher priority had decided. */
  not_reached: 'not tried',
} as const;

export type RuleOutcome = keyof typeof RULE_OUTCOMES;

/** A snapshot name; it is also a file name. */
export const SNAPSHOT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export const SNAPSHOT_NAME_RULE = '1 to 100 characters of A-Z a-z 0-9 . _ -, the first a letter or digit';
