import { Buffer } from 'buffer';
import { toArrayBuffer } from '../../bridge/host-bridge.js';
import { TextDecoder, TextEncoder } from '../text-encoding.js';
import { URLSearchParams } from '../url.js';

/** Converts a body to bytes and determines its content type. */
export function extractBody(source: unknown): { bytes: ArrayBuffer | null; type: string | null } {
  if (source === undefined || source === null) return { bytes: null, type: null };
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return { bytes: toArrayBuffer(source).slice(0), type: null };
  }
  const text = toArrayBuffer(new TextEncoder().encode(String(source)));
  if (source instanceof URLSearchParams) {
    return { bytes: text, type: 'application/x-www-form-urlencoded;charset=UTF-8' };
  }
  return { bytes: text, type: 'text/plain;charset=UTF-8' };
}

/** A minimal stream that returns the body in one chunk. */
class ByteStream {
  #chunk: Uint8Array | undefined;
  readonly #onRead: () => void;

  constructor(chunk: Uint8Array, onRead: () => void) {
    this.#chunk = chunk;
    this.#onRead = onRead;
  }

  getReader() {
    return {
      read: async () => {
        this.#onRead();
        const value = this.#chunk;
        this.#chunk = undefined;
        return value === undefined ? { done: true, value } : { done: false, value };
      },
      cancel: async () => this.cancel(),
      releaseLock: () => {},
    };
  }

  cancel(): void {
    this.#chunk = undefined;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const { value } = await this.getReader().read();
    if (value !== undefined) yield value;
  }
}

/** Base class of `Request` and `Response`. */
export class Body {
  readonly #bytes: ArrayBuffer | null;
  readonly #stream: ByteStream | null;
  #isUsed = false;

  constructor(bytes: ArrayBuffer | null) {
    this.#bytes = bytes;
    const markUsed = () => {
      this.#isUsed = true;
    };
    this.#stream = bytes && new ByteStream(new Uint8Array(bytes), markUsed);
  }

  get bodyUsed(): boolean {
    return this.#isUsed;
  }

  get body(): ByteStream | null {
    return this.#stream;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#consume().slice(0);
  }

  /** Extension of `node-fetch`. */
  async buffer(): Promise<Buffer> {
    return Buffer.from(this.#consume());
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(this.#consume().slice(0));
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(this.#consume());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  /** Copies the bytes for a clone. */
  protected copyBytes(): ArrayBuffer | null {
    if (this.#isUsed) throw new TypeError('Body is unusable: Body has already been read');
    return this.#bytes?.slice(0) ?? null;
  }

  #consume(): ArrayBuffer {
    if (this.#isUsed) throw new TypeError('Body is unusable: Body has already been read');
    this.#isUsed = this.#bytes !== null;
    return this.#bytes ?? new ArrayBuffer(0);
  }
}
