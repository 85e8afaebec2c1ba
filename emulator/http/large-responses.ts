import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { ByteBudget, SMALL_BYTES } from '../lib/byte-budget.js';
import { type ProblemError, retryableProblem } from '../problems/problem.js';

/** A client that takes nothing of a large response for this long, in milliseconds, or twice as long, is disconnected. */
const STALLED_CLIENT_MS = 10_000;

const budget = new ByteBudget();

/** The large responses of a connection that have not been sent. It has several when the client sends requests without awaiting them. */
interface Unsent {
  responses: number;
  length: number;
}

const unsentBySocket = new WeakMap<Socket, Unsent>();

const oneByOne = pLimit(1);

/**
 * Waits until a response may be serialized: at once, but for a connection that has a large one that has not been sent. Of those,
 * one goes in each turn of the event loop, so that a client that asks for many large responses does not hold up those of others.
 */
export function turnForResponse({ raw: { socket } }: FastifyRequest): Promise<void> | undefined {
  return unsentBySocket.get(socket)?.responses ? oneByOne(() => nextTurn()) : undefined;
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
  const isRefused = !budget.take(length);
  // The problem that is sent instead takes no room, but what it replaces has been serialized.
  const release = hold(socket, isRefused ? 0 : length);
  // Before Node.js sets the timeout of the next response, or that of an idle connection.
  raw.prependOnceListener('finish', () => {
    release();
    if (socket.timeout === STALLED_CLIENT_MS) socket.setTimeout(0);
  });
  if (isRefused) return tooManyResponses();
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
  const release = (responses: number, length: number) => {
    unsent.responses -= responses;
    unsent.length -= length;
    budget.release(length);
  };
  if (!unsentBySocket.has(socket)) socket.once('close', () => release(unsent.responses, unsent.length));
  unsentBySocket.set(socket, unsent);
  unsent.responses += 1;
  unsent.length += length;
  return () => release(1, length);
}

function tooManyResponses(): ProblemError {
  const detail = 'Too many large responses wait for their clients to take them. Try again.';
  return retryableProblem('unavailable', detail);
}
