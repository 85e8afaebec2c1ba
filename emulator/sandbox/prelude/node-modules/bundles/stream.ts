import type { ReadableOptions } from 'node:stream';
import stream from 'readable-stream/lib/stream.js';

/** Reads a stream of the web, such as the body of a response. The package leaves this to Node.js. */
stream.Readable.fromWeb = (web: AsyncIterable<unknown>, options?: ReadableOptions) =>
  stream.Readable.from(web, { objectMode: false, ...options });

export { stream as exported };
