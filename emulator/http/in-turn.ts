import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Handles the requests of a connection one after another, and not all that were pipelined in the turn they arrive in. */
export function handleInTurn(server: Server): void {
  const handlers = server.listeners('request') as RequestListener[];
  const handle: RequestListener = (...exchange) => {
    for (const handler of handlers) handler.apply(server, exchange);
  };
  /** The requests that wait, by the connection that another one of is being handled. */
  const waiting = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    response.once('close', () => {
      const queue = waiting.get(socket);
      const next = queue?.shift();
      if (next === undefined || socket.destroyed) return void waiting.delete(socket);
      // Node.js reads on after each request.
      if (queue?.length === 0) socket.resume();
      else socket.pause();
      begin(...next);
    });
    handle(request, response);
  };
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const queue = waiting.get(request.socket);
    if (!queue) {
      waiting.set(request.socket, []);
      return begin(request, response);
    }
    queue.push([request, response]);
    // What has arrived is parsed; nothing more is read.
    request.socket.pause();
  });
}
