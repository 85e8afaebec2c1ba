import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { type ProblemError, retryableProblem } from '../problems/problem.js';

/** Characters or bytes of a response that takes no room while a client reads it. */
const SMALL_RESPONSE_LENGTH = 65_536;
/** What all large responses may have together until their clients have taken them. */
const MAX_LENGTH = 256 * 1024 * 1024;
/** A client that takes nothing of a large response for this long, in milliseconds, or twice as long, is disconnected. */
const STALLED_CLIENT_MS = 10_000;

let held = 0;
/** What each connection holds. It has several responses when the client sends requests without awaiting them. */
const heldBySocket = new WeakMap<Socket, number>();

/**
 * Counts a large response from now until the client has taken it, or the connection is closed.
 * @returns a problem to send instead, if too many large responses wait for their clients
 */
export function holdLargeResponse({ raw, request }: FastifyReply, length: number): ProblemError | undefined {
  if (length <= SMALL_RESPONSE_LENGTH) return undefined;
  const { socket } = request.raw;
  // A request from this process has no connection, and its response waits for nobody.
  if (!(socket instanceof Socket) || socket.destroyed) return undefined;
  if (held + length > MAX_LENGTH) return tooManyResponses();
  hold(socket, length);
  raw.setTimeout(STALLED_CLIENT_MS);
  // Before Node.js sets the timeout of the next response, or that of an idle connection.
  raw.prependOnceListener('finish', () => {
    release(socket, length);
    if (socket.timeout === STALLED_CLIENT_MS) socket.setTimeout(0);
  });
  return undefined;
}

function hold(socket: Socket, length: number): void {
  const before = heldBySocket.get(socket);
  if (before === undefined) socket.once('close', () => release(socket, heldBySocket.get(socket) ?? 0));
  heldBySocket.set(socket, (before ?? 0) + length);
  held += length;
}

function release(socket: Socket, length: number): void {
  heldBySocket.set(socket, (heldBySocket.get(socket) ?? 0) - length);
  held -= length;
}

function tooManyResponses(): ProblemError {
  const detail = 'Too many large responses wait for their clients to take them. Try again.';
  return retryableProblem('unavailable', detail);
}
