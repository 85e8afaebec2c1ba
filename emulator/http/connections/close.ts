import type { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../../../src/contract/limits.js';

/** Interval at which idle connections are closed, in milliseconds. */
const IDLE_CHECK_MS = 20;

/** Time until the remaining connections are closed: the longest request, and a margin. */
const GRACE_MS = LIMITS.syncTimeoutMs + 5_000;

/**
 * Stops accepting connections and finishes the requests in flight. Idle keep-alive connections are closed, because they
 * would delay the end until their timeout.
 */
export async function closeApp(app: FastifyInstance, ipv6Listener: Server): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
  const grace = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
  try {
    await Promise.all([app.close(), new Promise((resolve) => ipv6Listener.close(resolve))]);
  } finally {
    clearInterval(idle);
    clearTimeout(grace);
  }
}
