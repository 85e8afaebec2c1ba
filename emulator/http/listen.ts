import type { RequestListener, Server } from 'node:http';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { DEFAULT_PORT } from '../../src/contract/control/endpoints.js';
import { StartError } from '../lib/start-error.js';

type ListenAddress = { port: number; host: string };

/**
 * Starts listening; on `127.0.0.1` for `localhost`. @param port by default the usual one, or a free one when another program uses it
 * @returns the URL @throws {StartError} `port_in_use`, `cannot_listen`
 */
export async function listen(app: FastifyInstance, given: string, port?: number): Promise<string> {
  // Fastify would create another server for `::1`, without the handlers of `app.server`.
  const host = given === 'localhost' ? '127.0.0.1' : given;
  const address = { port: port ?? DEFAULT_PORT, host };
  try {
    return await app.listen(address).catch((error: NodeJS.ErrnoException) => {
      if (port !== undefined || error.code !== 'EADDRINUSE') throw error;
      return app.listen({ port: 0, host });
    });
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

/** The host guard rejects a request without Host. Node.js would respond without a body. */
export const SERVER_OPTIONS = { requireHostHeader: false };

/** Creates the server of the app; the options are those of Fastify, with their defaults. */
export type ServerFactory = (handler: RequestListener, options: FastifyServerOptions) => Server;

const NOT_PEM = 'they are not PEM';

/** What OpenSSL says, in words. */
const REASONS: Readonly<Record<string, string>> = {
  'no start line': NOT_PEM,
  'key values mismatch': 'the key is that of another certificate',
};

/** Loads TLS, which few emulators need, and creates a factory of servers. @throws {StartError} `invalid_certificate` */
export async function createHttpsFactory(certificate: { cert: string; key: string }): Promise<ServerFactory> {
  const [{ createServer }, { createSecureContext }] = await Promise.all([
    import('node:https'),
    import('node:tls'),
  ]);
  try {
    createSecureContext(certificate);
  } catch (error) {
    // OpenSSL says what is wrong, and never repeats the key.
    const { reason, code } = error as Error & { reason?: string; code?: string };
    const words = REASONS[reason ?? ''] ?? reason ?? code ?? NOT_PEM;
    throw new StartError('invalid_certificate', `The certificate and its key cannot be used: ${words}.`, {
      cause: error,
    });
  }
  return (handler, { keepAliveTimeout = 0, requestTimeout = 0 }) =>
    Object.assign(createServer({ ...SERVER_OPTIONS, ...certificate }, handler), {
      keepAliveTimeout,
      requestTimeout,
    });
}
