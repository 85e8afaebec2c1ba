import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { EmulatorOptions } from '../../options.js';

/**
 * What listens on a second address. Its connections become those of the app's one server, so that all that holds there
 * holds for them: what is said to bytes that are no HTTP, and how they end.
 */
export function createIpv6Listener(app: FastifyInstance): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    app.server.emit('connection', socket),
  );
}

/**
 * Listens; on both of its addresses when that is `localhost`, since some clients try only one of them.
 * @returns the URL
 */
export async function listen(
  app: FastifyInstance,
  second: Server,
  { port, host }: Required<Pick<EmulatorOptions, 'port' | 'host'>>,
): Promise<string> {
  // Fastify, told `localhost`, would make a server that is outside of all that `app.server` was told.
  if (host !== 'localhost') return app.listen({ port, host });
  const url = await app.listen({ port, host: '127.0.0.1' });
  second.listen((app.server.address() as AddressInfo).port, '::1');
  await once(second, 'listening').catch((error: NodeJS.ErrnoException) => {
    // Not every machine has that address; but one where another program has the port is no place to be.
    if (error.code === 'EADDRINUSE') throw error;
  });
  return url;
}
