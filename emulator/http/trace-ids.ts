import type { IncomingMessage } from 'node:http';
import { holdsCardNumber } from '../../src/contract/card-numbers.js';
import { LIMITS } from '../../src/contract/limits.js';

/** Printable ASCII: nothing else reaches a terminal that shows the log. */
const CHARACTERS = /^[ -~]+$/;

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

const isAcceptable = (id: string): boolean =>
  id.length <= LIMITS.traceIdCharacters && CHARACTERS.test(id) && !holdsCardNumber(id);
