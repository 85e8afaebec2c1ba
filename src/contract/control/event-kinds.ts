/** What an event of the emulator is about. */
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

/** The levels of `console` in reactor code. */
export const CONSOLE_LEVELS = ['debug', 'log', 'info', 'warn', 'error'] as const;
export type ConsoleLevel = (typeof CONSOLE_LEVELS)[number];

/** The comment in an event stream between the recent events and those that follow. */
export const LIVE_COMMENT = ': live';

const DATA = 'data: ';

/**
 * Returns the data of a block of an event stream; undefined if it is a comment. Only a line feed ends a line: JSON may contain
 * U+2028, at which a regular expression ends one too.
 */
export function eventDataOf(block: string): string | undefined {
  return block
    .split('\n')
    .find((line) => line.startsWith(DATA))
    ?.slice(DATA.length);
}
