import { Transform, type TransformCallback } from 'node:stream';
import { callHost, callHostForBytes, toArrayBuffer } from '../../bridge/host-bridge.js';

type Options = Record<string, unknown>;
type Data = string | ArrayBuffer | ArrayBufferView;
type Callback = (error: Error | null, result?: Buffer) => void;

/** Names of the host's functions, and of the classes of streams. */
const FORMATS = {
  deflate: 'Deflate',
  inflate: 'Inflate',
  gzip: 'Gzip',
  gunzip: 'Gunzip',
  deflateRaw: 'DeflateRaw',
  inflateRaw: 'InflateRaw',
  unzip: 'Unzip',
  brotliCompress: 'BrotliCompress',
  brotliDecompress: 'BrotliDecompress',
} as const;

type Format = keyof typeof FORMATS;

function convert(format: Format, data: Data, options: Options = {}): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  const { dictionary, ...rest } = options;
  const sent =
    dictionary === undefined
      ? rest
      : { ...rest, dictionary: Buffer.from(dictionary as Buffer).toString('base64') };
  return Buffer.from(callHostForBytes('zlib', { format, options: sent }, toArrayBuffer(bytes)).buffer);
}

function convertAsync(format: Format, data: Data, ...rest: [Callback] | [Options, Callback]): void {
  const callback = rest.at(-1) as Callback;
  const options = rest.length > 1 ? (rest[0] as Options) : {};
  let result: Buffer;
  try {
    result = convert(format, data, options);
  } catch (error) {
    setImmediate(callback, error as Error);
    return;
  }
  setImmediate(callback, null, result);
}

/** Collects its input, because the host converts in one call. */
function defineStream(format: Format) {
  return class extends Transform {
    readonly #chunks: Buffer[] = [];
    readonly #options: Options;

    constructor(options: Options = {}) {
      super();
      this.#options = options;
    }

    override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
      this.#chunks.push(chunk);
      done();
    }

    override _flush(done: TransformCallback): void {
      try {
        done(null, convert(format, Buffer.concat(this.#chunks), this.#options));
      } catch (error) {
        done(error as Error);
      }
    }

    close(done?: () => void): void {
      if (done) this.once('close', done);
      this.destroy();
    }
  };
}

function createModule(): Record<string, unknown> {
  const constants = callHost<Record<string, number>>('zlibConstants', null);
  const zlib: Record<string, unknown> = {
    ...Object.fromEntries(Object.entries(constants).filter(([name]) => name.startsWith('Z_'))),
    constants,
  };
  for (const [format, name] of Object.entries(FORMATS) as [Format, string][]) {
    const Stream = defineStream(format);
    Object.defineProperty(Stream, 'name', { value: name });
    zlib[name] = Stream;
    zlib[`create${name}`] = (options?: Options) => new Stream(options);
    zlib[format] = (data: Data, ...rest: [Callback]) => convertAsync(format, data, ...rest);
    zlib[`${format}Sync`] = (data: Data, options?: Options) => convert(format, data, options);
  }
  return zlib;
}

/** `require('zlib')`, over the host's. */
export const exported = createModule();
