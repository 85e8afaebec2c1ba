import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { callCrypto, callCryptoForBytes, toBuffer } from './host-calls.js';

/** `crypto.Cipheriv` and `Decipheriv`. The host has their state. */
export class Cipher extends Transform {
  readonly #id: string;
  /** Keeps the bytes of an incomplete character between two updates. */
  #decoder: StringDecoder | undefined;

  constructor(
    direction: 'encrypt' | 'decrypt',
    algorithm: string,
    key: unknown,
    iv: unknown,
    options?: object,
  ) {
    super();
    this.#id = callCrypto(
      'createCipher',
      direction,
      algorithm,
      toBuffer(key),
      iv === null ? null : toBuffer(iv),
      options,
    );
  }

  update(data: unknown, inputEncoding?: string, outputEncoding?: string): Buffer | string {
    const bytes = callCryptoForBytes('updateCipher', this.#id, toBuffer(data, inputEncoding));
    return this.#decoderFor(outputEncoding)?.write(bytes) ?? bytes;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a stream declares a method of this name with another meaning
  final(outputEncoding?: string): any {
    const last = callCryptoForBytes('finishCipher', this.#id);
    return this.#decoderFor(outputEncoding)?.end(last) ?? last;
  }

  setAAD(aad: unknown, options?: object): this {
    callCrypto('setAad', this.#id, toBuffer(aad), options);
    return this;
  }

  getAuthTag(): Buffer {
    return callCryptoForBytes('getAuthTag', this.#id);
  }

  setAuthTag(tag: unknown, encoding?: string): this {
    callCrypto('setAuthTag', this.#id, toBuffer(tag, encoding));
    return this;
  }

  setAutoPadding(isPadded = true): this {
    callCrypto('setAutoPadding', this.#id, isPadded);
    return this;
  }

  #decoderFor(encoding: string | undefined): StringDecoder | undefined {
    if (!encoding || encoding === 'buffer') return undefined;
    this.#decoder ??= new StringDecoder(encoding as BufferEncoding);
    return this.#decoder;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    attempt(() => this.update(chunk) as Buffer, done);
  }

  override _flush(done: TransformCallback): void {
    attempt(() => this.final() as Buffer, done);
  }
}

function attempt(compute: () => Buffer, done: TransformCallback): void {
  let result: Buffer;
  try {
    result = compute();
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, result);
}
