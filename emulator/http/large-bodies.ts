import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';

/** Bytes of a body that is parsed, checked and stored in no time. */
export const SMALL_BODY_BYTES = 65_536;

const oneByOne = pLimit(1);

/**
 * Waits until a large body may be parsed: one in each turn of the event loop. What arrives in one turn is otherwise handled in a
 * row, and a caller that sends many large bodies at the same time holds up the requests of all others.
 */
export const turnForLargeBody = (): Promise<void> => oneByOne(() => nextTurn());
