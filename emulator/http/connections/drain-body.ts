import type { IncomingMessage } from 'node:http';

/** Bytes and milliseconds after which a client that sends too much is disconnected. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 5_000;

/**
 * Reads and discards the rest of a body, within bounds. Without this, a client that writes its whole request before it
 * reads would see a connection reset instead of the response.
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
