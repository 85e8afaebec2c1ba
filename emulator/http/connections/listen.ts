import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartError } from '../../lib/start-error.js';
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

type Listen = Required<Pick<EmulatorOptions, 'port' | 'host'>>;

/**
 * Listens on the host; on both of its addresses when that is `localhost`, since some clients try only one of them.
 * @returns the URL
 * @throws {StartError} `port_in_use` or `cannot_listen`
 */
export async function listen(app: FastifyInstance, second: Server, address: Listen): Promise<string> {
  try {
    return await listenOn(app, second, address);
  } catch (error) {
    throw toStartError(error, address);
  }
}

/** The error of `net.Server.listen`, or of looking up the host, as a sentence. Any other error is returned as it is. */
function toStartError(error: unknown, { port, host }: Listen): unknown {
  const { code, syscall, ...failed } = error as NodeJS.ErrnoException &
    Partial<Listen> & { address?: string };
  const { address = host } = failed;
  if (code === 'EADDRINUSE')
    return new StartError('port_in_use', `Port ${failed.port ?? port} is in use.`, { cause: error });
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error;
  const where = syscall === 'listen' && port ? `${address}:${port}` : address;
  return new StartError('cannot_listen', `The emulator cannot listen on ${where}: ${code}.`, {
    cause: error,
  });
}

async function listenOn(app: FastifyInstance, second: Server, { port, host }: Listen): Promise<string> {
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
