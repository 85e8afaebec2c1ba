import type { IncomingMessage } from 'node:http';

/** Most clients that send too much send little more than allowed; whoever sends more is cut off. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 5_000;

/**
 * Reads the rest of a body and forgets it, within bounds. A client that writes all of its request before it reads would
 * otherwise find the connection reset in place of the answer.
 */
export function drain(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    const done = () => {
      clearTimeout(timer);
      request.off('data', count).off('end', done).off('close', done);
      resolve();
    };
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) done();
    };
    const timer = setTimeout(done, MAX_MS);
    request.on('data', count).on('end', done).on('close', done);
  });
}
