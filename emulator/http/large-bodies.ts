import { finished } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { preParsingHookHandler } from 'fastify';
import pLimit from 'p-limit';
import { ByteBudget, SMALL_BYTES } from '../lib/byte-budget.js';
import { type ProblemError, retryableProblem } from '../problems/problem.js';

const budget = new ByteBudget();

const oneByOne = pLimit(1);

/**
 * Waits until a large body may be parsed: one in each turn of the event loop. What arrives in one turn is otherwise handled in a
 * row, and a caller that sends many large bodies at the same time holds up the requests of all others.
 */
export const turnForLargeBody = (): Promise<void> => oneByOne(() => nextTurn());

/**
 * Counts the bytes of large bodies from their arrival to the end of their response, and refuses with 503 what would be too many.
 * A body counts as far as it has arrived, so that announcing one takes nothing from others.
 */
export const limitLargeBodies: preParsingHookHandler = ({ headers }, reply, payload, done) => {
  const length = headers['content-length'] ?? (headers['transfer-encoding'] ? Number.POSITIVE_INFINITY : 0);
  if (Number(length) > SMALL_BYTES) {
    let bytes = 0;
    const release = () => {
      payload.off('data', count);
      budget.release(bytes);
      bytes = 0;
    };
    const count = (chunk: Buffer) => {
      if (budget.take(chunk.length)) {
        bytes += chunk.length;
        return;
      }
      release();
      payload.emit('error', tooManyBodies());
    };
    payload.on('data', count);
    finished(reply.raw, release);
  }
  done(null, payload);
};

function tooManyBodies(): ProblemError {
  const detail = 'Too many large bodies arrive at the same time. Try again.';
  // Fastify takes the status of an error of the stream for its own.
  const error = retryableProblem('unavailable', detail);
  return Object.assign(error, { statusCode: error.status });
}
