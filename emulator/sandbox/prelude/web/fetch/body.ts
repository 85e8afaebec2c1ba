import { Buffer } from 'buffer';
import { toArrayBuffer } from '../../bridge/host-bridge.js';
import { TextDecoder, TextEncoder } from '../text-encoding.js';
import { URLSearchParams } from '../url.js';

/** What a body may be made of, as bytes, and the content type that follows from it. */
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

/** A body in one chunk, for code that reads streams. */
class ByteStream {
  #chunk: Uint8Array | undefined;
  readonly #use: () => void;

  constructor(chunk: Uint8Array, use: () => void) {
    this.#chunk = chunk;
    this.#use = use;
  }

  getReader() {
    return {
      read: async () => {
        this.#use();
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

/** What `Request` and `Response` share. */
export class Body {
  readonly #bytes: ArrayBuffer | null;
  readonly #stream: ByteStream | null;
  #used = false;

  constructor(bytes: ArrayBuffer | null) {
    this.#bytes = bytes;
    const use = () => {
      this.#used = true;
    };
    this.#stream = bytes && new ByteStream(new Uint8Array(bytes), use);
  }

  get bodyUsed(): boolean {
    return this.#used;
  }

  get body(): ByteStream | null {
    return this.#stream;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#consume().slice(0);
  }

  /** Of `node-fetch`. */
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

  /** The bytes, for a clone. */
  protected copyBytes(): ArrayBuffer | null {
    if (this.#used) throw new TypeError('Body is unusable: Body has already been read');
    return this.#bytes?.slice(0) ?? null;
  }

  #consume(): ArrayBuffer {
    if (this.#used) throw new TypeError('Body is unusable: Body has already been read');
    this.#used = this.#bytes !== null;
    return this.#bytes ?? new ArrayBuffer(0);
  }
}
