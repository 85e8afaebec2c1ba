import { concatBytes, toArrayBuffer } from '../bridge/host.js';
import { Blob, readBlob } from './blob.js';
import { encodeForm, FormData } from './form-data.js';
import { TextDecoder, TextEncoder } from './text-encoding.js';
import { URLSearchParams } from './url.js';

type Bytes = Uint8Array<ArrayBuffer>;
type Stream = ReadableStream<Bytes>;

/** What a body is made of: bytes, or a stream that has not been read yet. */
type Content = ArrayBuffer | Stream | null;

/** Converts a body to its content and determines its content type. */
export function extractBody(source: unknown): { content: Content; type: string | null } {
  if (source === undefined || source === null) return { content: null, type: null };
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return { content: toArrayBuffer(source).slice(0), type: null };
  }
  if (source instanceof Blob) return { content: readBlob(source), type: source.type || null };
  if (source instanceof FormData) {
    const { bytes, type } = encodeForm(source);
    return { content: toArrayBuffer(bytes), type };
  }
  if (isStream(source)) {
    if (source.locked) throw new TypeError('Response body object should not be disturbed or locked');
    return { content: source, type: null };
  }
  const content = toArrayBuffer(new TextEncoder().encode(String(source)));
  if (source instanceof URLSearchParams) {
    return { content, type: 'application/x-www-form-urlencoded;charset=UTF-8' };
  }
  return { content, type: 'text/plain;charset=UTF-8' };
}

/** Any object with a reader. */
const isStream = (value: unknown): value is Stream =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Stream>).getReader === 'function';

async function readStream(stream: Stream): Promise<ArrayBuffer> {
  const reader = stream.getReader();
  const chunks: Bytes[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return toArrayBuffer(concatBytes(chunks));
    if (!(value instanceof Uint8Array)) throw new TypeError('Received non-Uint8Array chunk');
    chunks.push(value);
  }
}

/** Base class of `Request` and `Response`. */
export abstract class Body {
  abstract readonly headers: { get(name: string): string | null };
  #content: Content;
  /** Created when it is first asked for. */
  #stream: Stream | null = null;
  #isUsed = false;

  constructor(content: Content) {
    this.#content = content;
    if (isStream(content)) this.#stream = content;
  }

  /** False for a request without a body, as opposed to one with an empty body. */
  get hasBody(): boolean {
    return this.#content !== null;
  }

  get bodyUsed(): boolean {
    return this.#isUsed;
  }

  get body(): Stream | null {
    if (this.#content instanceof ArrayBuffer) this.#stream ??= this.#createStream(this.#content);
    return this.#stream;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.#consume()).slice(0);
  }

  async blob(): Promise<Blob> {
    const type = this.headers.get('content-type') ?? '';
    return new Blob([await this.#consume()], { type });
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array((await this.#consume()).slice(0));
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.#consume());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  /** Copies the content for a clone. */
  protected copyContent(): Content {
    this.#assertUnused();
    if (!isStream(this.#content)) return this.#content?.slice(0) ?? null;
    const [own, copy] = this.#content.tee();
    this.#content = own;
    this.#stream = own;
    return copy;
  }

  async #consume(): Promise<ArrayBuffer> {
    this.#assertUnused();
    if (this.#content === null) return new ArrayBuffer(0);
    this.#isUsed = true;
    return isStream(this.#content) ? readStream(this.#content) : this.#content;
  }

  #assertUnused(): void {
    if (this.#isUsed || this.#stream?.locked)
      throw new TypeError('Body is unusable: Body has already been read');
  }

  #createStream(bytes: ArrayBuffer): Stream {
    const markUsed = () => {
      this.#isUsed = true;
    };
    return new ReadableStream<Bytes>(
      {
        pull(controller) {
          markUsed();
          if (bytes.byteLength > 0) controller.enqueue(new Uint8Array(bytes));
          controller.close();
        },
        cancel: markUsed,
      },
      { highWaterMark: 0 },
    );
  }
}
