import type { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../../../src/contract/limits.js';

/** How often connections that have become idle are closed, in milliseconds. */
const IDLE_CHECK_MS = 20;

/** The longest that a request may take, and a little more; what takes longer is cut off. */
const GRACE_MS = LIMITS.syncTimeoutMs + 5_000;

/**
 * Accepts nothing more and finishes what runs. A client that keeps its connection after its answer would hold up the
 * end until its keep-alive runs out, so such connections are closed.
 */
export async function closeApp(app: FastifyInstance, second: Server): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
  const grace = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
  try {
    await Promise.all([app.close(), new Promise((resolve) => second.close(resolve))]);
  } finally {
    clearInterval(idle);
    clearTimeout(grace);
  }
}
