import type { IncomingMessage } from 'node:http';
import { isCardNumber } from '../../src/contract/card-numbers.js';
import { LIMITS } from '../../src/contract/limits.js';

/** Printable ASCII: nothing else reaches a terminal that shows the log. */
const CHARACTERS = /^[ -~]+$/;
/** A run of digits, or of groups of digits, that nothing continues. */
const NUMBER = /(?<![0-9A-Za-z])(?:\d{13,19}|(?<!-)\d(?:[ -]?\d){12,18}(?!-))(?![0-9A-Za-z])/g;

/**
 * Creates the function that returns the trace id of a request: that of its header, or a new one if there is none that may
 * appear in logs, events and spans.
 */
export function createTraceIds(
  header: string,
  newId: () => string,
): (request: Pick<IncomingMessage, 'headers'>) => string {
  const name = header.toLowerCase();
  return ({ headers }) => {
    const given = headers[name];
    return typeof given === 'string' && isAcceptable(given) ? given : newId();
  };
}

function isAcceptable(id: string): boolean {
  if (id.length > LIMITS.traceIdCharacters || !CHARACTERS.test(id)) return false;
  return !(id.match(NUMBER) ?? []).some((number) => isCardNumber(number.replace(/[ -]/g, '')));
}
