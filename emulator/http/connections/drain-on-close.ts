import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a server that is being closed waits for a client that neither sends nor reads, in milliseconds. */
const CLIENT_TIMEOUT_MS = 2_000;

/** Part of the request is still to come, or part of the answer to go. */
const isOpen = ({ req, writableFinished }: ServerResponse): boolean => !req.complete || !writableFinished;

/** The emulator has yet to read what came, or to answer it. */
const isOurTurn = ({ req, writableEnded }: ServerResponse): boolean =>
  !writableEnded && (req.complete || req.readableLength > 0);

/**
 * Makes `closeIdleConnections`, which Node.js calls too when a server is closed, finish what was begun. Node.js takes a
 * connection for idle while most of a large answer is still to be sent, and never for idle when the rest of a request
 * does not come. Called again and again, this one leaves each connection until all of its answers have been sent, and
 * gives up on a client that does not do its part.
 */
export function drainOnClose(server: Server): void {
  const exchanges = new Map<Socket, ServerResponse[]>();
  server.on('connection', (socket) => {
    exchanges.set(socket, []);
    socket.on('close', () => exchanges.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    const responses = exchanges.get(socket) ?? [];
    while (responses[0] !== undefined && !isOpen(responses[0])) responses.shift();
    responses.push(response);
  });
  server.closeIdleConnections = () => {
    for (const [socket, responses] of exchanges) {
      const open = responses.filter(isOpen);
      if (open.length === 0) socket.destroy();
      else wait(socket, open.some(isOurTurn) ? 0 : CLIENT_TIMEOUT_MS);
    }
  };
}

/** Node.js destroys the connection when no byte moves for so long; 0 is for ever. */
function wait(socket: Socket, timeoutMs: number): void {
  if (socket.timeout !== timeoutMs) socket.setTimeout(timeoutMs);
}
