import { Transform, type TransformCallback } from 'node:stream';
import { callHost } from '../bridge/host.js';
import { passTo } from './crypto/cipher.js';

type Options = Record<string, unknown>;
type Data = string | ArrayBuffer | ArrayBufferView;
type Callback = TransformCallback;

/** Formats of the host. The names of their streams start with a capital letter. */
const FORMATS = [
  ...['deflate', 'inflate', 'gzip', 'gunzip', 'deflateRaw', 'inflateRaw', 'unzip'],
  ...['brotliCompress', 'brotliDecompress'],
];

const convert = (format: string, data: Data, options: Options = {}): Buffer =>
  callHost('zlib', format, typeof data === 'string' ? Buffer.from(data) : data, options);

function convertAsync(format: string, data: Data, ...rest: [Callback] | [Options, Callback]): void {
  const callback = rest.at(-1) as Callback;
  const options = rest.length > 1 ? (rest[0] as Options) : {};
  passTo(
    (...results) => void setImmediate(callback, ...results),
    () => convert(format, data, options),
  );
}

/** Collects its input, because the host converts in one call. */
function defineStream(format: string) {
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
      passTo(done, () => convert(format, Buffer.concat(this.#chunks), this.#options));
    }

    close(done?: () => void): void {
      if (done) this.once('close', done);
      this.destroy();
    }
  };
}

function createModule(): Record<string, unknown> {
  const constants = callHost<Record<string, number>>('zlibConstants');
  const zlib: Record<string, unknown> = {
    ...Object.fromEntries(Object.entries(constants).filter(([name]) => name.startsWith('Z_'))),
    constants,
  };
  for (const format of FORMATS) {
    const name = format.replace(/^./, (first) => first.toUpperCase());
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
export default createModule();
