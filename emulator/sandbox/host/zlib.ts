import zlib, { type BrotliOptions, type ZlibOptions } from 'node:zlib';
import { DEFAULT_LIMITS } from '../limits.js';
import { VisibleError } from '../outcome.js';

const MiB = 1024 * 1024;

/** Bytes of the result of a decompression, which the instance has to hold as well. */
const MAX_OUTPUT_BYTES = DEFAULT_LIMITS.memoryBytes / 2;
/** Bytes that can be compressed in about a second. */
const MAX_INPUT_BYTES = 16 * MiB;
/** The same for Brotli at a quality from which it is much slower; its default is the slowest. */
const SLOW_BROTLI_QUALITY = 10;
const MAX_SLOW_BROTLI_BYTES = MiB / 2;

type Options = ZlibOptions & BrotliOptions;

const COMPRESSORS = {
  deflate: zlib.deflateSync,
  deflateRaw: zlib.deflateRawSync,
  gzip: zlib.gzipSync,
  brotliCompress: zlib.brotliCompressSync,
} as const;

const DECOMPRESSORS = {
  inflate: zlib.inflateSync,
  inflateRaw: zlib.inflateRawSync,
  gunzip: zlib.gunzipSync,
  unzip: zlib.unzipSync,
  brotliDecompress: zlib.brotliDecompressSync,
} as const;

function maxCompressedBytes(format: string, { params }: Options): number {
  const quality = params?.[zlib.constants.BROTLI_PARAM_QUALITY] ?? zlib.constants.BROTLI_DEFAULT_QUALITY;
  const isSlow = format === 'brotliCompress' && !(Number(quality) < SLOW_BROTLI_QUALITY);
  return isSlow ? MAX_SLOW_BROTLI_BYTES : MAX_INPUT_BYTES;
}

/** Converts bytes in one call. The options that would change the bounds are the host's own. */
function convert(format: string, bytes: Buffer, options: Options): Buffer {
  const requested = Number(options.maxOutputLength ?? MAX_OUTPUT_BYTES);
  // Also false for NaN, which Node.js takes for no bound.
  const isBounded = requested <= MAX_OUTPUT_BYTES;
  const bounded = {
    ...options,
    chunkSize: 64 * 1024,
    maxOutputLength: isBounded ? requested : MAX_OUTPUT_BYTES,
    info: false,
  };
  if (Object.hasOwn(DECOMPRESSORS, format)) return DECOMPRESSORS[format as 'gunzip'](bytes, bounded);
  if (!Object.hasOwn(COMPRESSORS, format)) throw new VisibleError('There is no such format.', 'TypeError');
  const maxBytes = maxCompressedBytes(format, options);
  if (bytes.byteLength > maxBytes)
    throw new VisibleError(
      `zlib: the input is longer than ${maxBytes} bytes.`,
      'RangeError',
      'ERR_OUT_OF_RANGE',
    );
  return COMPRESSORS[format as 'gzip'](bytes, bounded);
}

export const ZLIB_FUNCTIONS = {
  zlib: convert,
  zlibConstants: () => ({ ...zlib.constants }),
};
