import type { RequestListener, Server } from 'node:http';
import type { FastifyServerOptions } from 'fastify';
import { StartError } from '../../lib/start-error.js';

/** Certificate and private key of an https server, as PEM. */
interface Certificate {
  cert: string;
  key: string;
}

/** The host guard rejects a request without Host. Node.js would respond without a body. */
export const SERVER_OPTIONS = { requireHostHeader: false };

/** Creates the server of the app; the options are those of Fastify, with their defaults. */
export type ServerFactory = (handler: RequestListener, options: FastifyServerOptions) => Server;

/**
 * Loads TLS, which few emulators need, and creates a factory of https servers.
 * @throws {StartError} `invalid_certificate`
 */
export async function createHttpsFactory(certificate: Certificate): Promise<ServerFactory> {
  const [{ createServer }, { createSecureContext }] = await Promise.all([
    import('node:https'),
    import('node:tls'),
  ]);
  try {
    createSecureContext(certificate);
  } catch (error) {
    // OpenSSL says what is wrong, and never repeats the key.
    const { reason, code } = error as Error & { reason?: string; code?: string };
    throw new StartError(
      'invalid_certificate',
      `The certificate and its key cannot be used: ${reason ?? code ?? 'they are not PEM'}.`,
      { cause: error },
    );
  }
  return (handler, { keepAliveTimeout = 0, requestTimeout = 0 }) =>
    Object.assign(createServer({ ...SERVER_OPTIONS, ...certificate }, handler), {
      keepAliveTimeout,
      requestTimeout,
    });
}
