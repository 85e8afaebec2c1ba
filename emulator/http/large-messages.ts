import { Socket } from 'node:net';
import { finished } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import pLimit from 'p-limit';
import { ByteBudget, SMALL_BYTES } from '../lib/byte-budget.js';
import { type ProblemError, retryableProblem } from '../problems/problem.js';

// Large bodies and responses: how many bytes of them the emulator holds, and how many it handles in a row.

const bodies = new ByteBudget();
const responses = new ByteBudget();
const oneByOne = pLimit(1);

/**
 * Waits for the turn of a large body or response: one in each turn of the event loop. What arrives in one turn is otherwise handled
 * in a row, and a client that sends or asks for much at the same time holds up the requests of all others.
 */
export const turnForLargeMessage = (): Promise<void> => oneByOne(() => nextTurn());

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
      bodies.release(bytes);
      bytes = 0;
    };
    const count = (chunk: Buffer) => {
      if (bodies.take(chunk.length)) {
        bytes += chunk.length;
        return;
      }
      release();
      const error = tooMany('Too many large bodies arrive at the same time. Try again.');
      // Fastify takes the status of an error of the stream for its own.
      payload.emit('error', Object.assign(error, { statusCode: error.status }));
    };
    payload.on('data', count);
    finished(reply.raw, release);
  }
  done(null, payload);
};

/** A client that takes nothing of a large response for this long, in milliseconds, or twice as long, is disconnected. */
const STALLED_CLIENT_MS = 10_000;

/** The large responses of a connection that have not been sent. It has several when the client sends requests without awaiting them. */
interface Unsent {
  responses: number;
  length: number;
}

const unsentBySocket = new WeakMap<Socket, Unsent>();

/** Waits until a response may be serialized: at once, but for a connection that has a large one that has not been sent. */
export function turnForResponse({ raw: { socket } }: FastifyRequest): Promise<void> | undefined {
  return unsentBySocket.get(socket)?.responses ? turnForLargeMessage() : undefined;
}

/**
 * Counts a large response from now until the client has taken it, or the connection is closed.
 * @returns a problem to send instead, if too many large responses wait for their clients
 */
export function holdLargeResponse({ raw, request }: FastifyReply, length: number): ProblemError | undefined {
  if (length <= SMALL_BYTES) return undefined;
  const { socket } = request.raw;
  // A request from this process has no connection, and its response waits for nobody.
  if (!(socket instanceof Socket) || socket.destroyed) return undefined;
  const isRefused = !responses.take(length);
  // The problem that is sent instead takes no room, but what it replaces has been serialized.
  const release = hold(socket, isRefused ? 0 : length);
  // Before Node.js sets the timeout of the next response, or that of an idle connection.
  raw.prependOnceListener('finish', () => {
    release();
    if (socket.timeout === STALLED_CLIENT_MS) socket.setTimeout(0);
  });
  if (isRefused) return tooMany('Too many large responses wait for their clients to take them. Try again.');
  raw.setTimeout(STALLED_CLIENT_MS);
  return undefined;
}

/**
 * Counts a response as one of its connection.
 * @param length what it has taken of the budget
 * @returns a function that gives it back
 */
function hold(socket: Socket, length: number): () => void {
  const unsent = unsentBySocket.get(socket) ?? { responses: 0, length: 0 };
  const release = (count: number, length: number) => {
    unsent.responses -= count;
    unsent.length -= length;
    responses.release(length);
  };
  if (!unsentBySocket.has(socket)) socket.once('close', () => release(unsent.responses, unsent.length));
  unsentBySocket.set(socket, unsent);
  unsent.responses += 1;
  unsent.length += length;
  return () => release(1, length);
}

const tooMany = (detail: string): ProblemError => retryableProblem('unavailable', detail);
