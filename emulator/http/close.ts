import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../../src/contract/limits.js';

const IDLE_CHECK_MS = 20;

/** Time until the remaining connections are closed: the longest request, and a margin. */
const GRACE_MS = LIMITS.syncTimeoutMs + 5_000;

/** Stops accepting connections, finishes the requests in flight, and closes idle ones, which would delay the end. */
export async function closeApp(app: FastifyInstance): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
  const grace = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(grace);
  }
}

/** How long a closing server waits for a client that neither sends nor reads, in milliseconds. */
const CLIENT_TIMEOUT_MS = 2_000;

/** Part of the request has not arrived, or part of the response has not been sent. */
const isOpen = ({ req, writableFinished }: ServerResponse): boolean => !req.complete || !writableFinished;

/** The emulator has not read everything that arrived, or has more to send to a client that reads. */
const isOurTurn = ({ req, writableEnded, writableNeedDrain }: ServerResponse): boolean =>
  !writableEnded && !writableNeedDrain && (req.complete || req.readableLength > 0);

/**
 * Replaces `closeIdleConnections`, which Node.js also calls when a server closes. The original considers a connection
 * idle while most of a large response is unsent, and never idle when the rest of a request does not arrive. The
 * replacement, called repeatedly, keeps each connection until its responses have been sent, and closes it when the
 * client stalls.
 */
export function drainOnClose(server: Server): void {
  /** The open responses of each connection; those that are over would keep their bodies as long as the connection. */
  const exchanges = new Map<Socket, Set<ServerResponse>>();
  server.on('connection', (socket) => {
    exchanges.set(socket, new Set());
    socket.on('close', () => exchanges.delete(socket));
  });
  server.on('request', (request, response) => {
    const open = exchanges.get(request.socket)?.add(response);
    const end = () => void (isOpen(response) || open?.delete(response));
    request.on('close', end);
    response.on('close', end);
  });
  server.closeIdleConnections = () => {
    for (const [socket, open] of exchanges)
      if (open.size === 0) socket.destroy();
      else setTimeoutOf(socket, [...open].some(isOurTurn) ? 0 : CLIENT_TIMEOUT_MS);
  };
}

/** Node.js destroys the connection after this time without traffic; 0 disables the timeout. */
function setTimeoutOf(socket: Socket, timeoutMs: number): void {
  if (socket.timeout !== timeoutMs) socket.setTimeout(timeoutMs);
}
