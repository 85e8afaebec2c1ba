import { concatBytes, toArrayBuffer } from '../bridge/host.js';
import { TextDecoder, TextEncoder } from './text-encoding.js';

type BlobOptions = { type?: unknown };

/** Returns the bytes of a blob without a promise. Set by `Blob` to give bodies access to its private state. */
export let readBlob: (blob: Blob) => ArrayBuffer;

function toBytes(part: unknown): Uint8Array {
  if (part instanceof Blob) return new Uint8Array(readBlob(part));
  if (part instanceof ArrayBuffer || ArrayBuffer.isView(part)) return new Uint8Array(toArrayBuffer(part));
  return new TextEncoder().encode(String(part));
}

/** The global `Blob`. Its bytes are in memory. */
export class Blob {
  readonly type: string;
  readonly #bytes: ArrayBuffer;

  constructor(parts: Iterable<unknown> = [], { type = '' }: BlobOptions = {}) {
    if (typeof parts !== 'object' || !(Symbol.iterator in parts))
      throw new TypeError('The "sources" argument must be an instance of Iterable.');
    this.#bytes = toArrayBuffer(concatBytes([...parts].map(toBytes)));
    const text = String(type);
    this.type = /[^\x20-\x7e]/.test(text) ? '' : text.toLowerCase();
  }

  static {
    readBlob = (blob) => blob.#bytes;
  }

  get size(): number {
    return this.#bytes.byteLength;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes.slice(0);
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(this.#bytes.slice(0));
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(this.#bytes);
  }

  slice(start?: number, end?: number, type?: string): Blob {
    return new Blob([this.#bytes.slice(start ?? 0, end)], { type: type ?? '' });
  }

  stream(): ReadableStream<Uint8Array> {
    const bytes = new Uint8Array(this.#bytes);
    return new ReadableStream(
      {
        pull(controller) {
          if (bytes.length > 0) controller.enqueue(bytes);
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }
}

export class File extends Blob {
  readonly name: string;
  readonly lastModified: number;

  constructor(
    parts: Iterable<unknown>,
    name: unknown,
    options: BlobOptions & { lastModified?: number } = {},
  ) {
    super(parts, options);
    this.name = String(name);
    this.lastModified = options.lastModified ?? Date.now();
  }
}
