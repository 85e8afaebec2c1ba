import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartError } from '../../lib/start-error.js';

/**
 * Creates the listener of a second address. Its connections are passed to the server of the app, so that client errors
 * and closing are handled in the same way.
 */
export function createIpv6Listener(app: FastifyInstance): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    app.server.emit('connection', socket),
  );
}

interface ListenAddress {
  port: number;
  host: string;
}

/**
 * Starts listening: on both loopback addresses for `localhost`, because some clients try only one of them.
 * @returns the URL
 * @throws {StartError} `port_in_use` or `cannot_listen`
 */
export async function listen(
  app: FastifyInstance,
  ipv6Listener: Server,
  address: ListenAddress,
): Promise<string> {
  try {
    return await listenOn(app, ipv6Listener, address);
  } catch (error) {
    throw toStartError(error, address);
  }
}

/** Converts an error of `net.Server.listen` or of the DNS lookup. Returns any other error unchanged. */
function toStartError(error: unknown, { port, host }: ListenAddress): unknown {
  const { code, syscall, ...failed } = error as NodeJS.ErrnoException &
    Partial<ListenAddress> & { address?: string };
  const { address = host } = failed;
  if (code === 'EADDRINUSE')
    return new StartError('port_in_use', `Port ${failed.port ?? port} is in use.`, { cause: error });
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error;
  const where = syscall === 'listen' && port ? `${address}:${port}` : address;
  return new StartError('cannot_listen', `The emulator cannot listen on ${where}: ${code}.`, {
    cause: error,
  });
}

async function listenOn(
  app: FastifyInstance,
  ipv6Listener: Server,
  { port, host }: ListenAddress,
): Promise<string> {
  // Given `localhost`, Fastify would create a second server without the handlers of `app.server`.
  if (host !== 'localhost') return app.listen({ port, host });
  const url = await app.listen({ port, host: '127.0.0.1' });
  ipv6Listener.listen((app.server.address() as AddressInfo).port, '::1');
  await once(ipv6Listener, 'listening').catch((error: NodeJS.ErrnoException) => {
    // Not every machine has IPv6. But when another program uses the port, clients would reach that program.
    if (error.code === 'EADDRINUSE') throw error;
  });
  return url;
}
