import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { callHost } from '../../bridge/host.js';
import { toBuffer } from '../buffer.js';

/** `crypto.Cipheriv` and `Decipheriv`. The host has their state. */
export class Cipher extends Transform {
  readonly #id: string;
  /** Keeps the bytes of an incomplete character between two updates. */
  #decoder: StringDecoder | undefined;

  constructor(direction: 'encrypt' | 'decrypt', ...args: unknown[]) {
    super();
    this.#id = callHost('createCipher', direction, ...args);
  }

  update(data: unknown, inputEncoding?: string, outputEncoding?: string): Buffer | string {
    const bytes = callHost<Buffer>('updateCipher', this.#id, toBuffer(data, inputEncoding));
    return this.#decoderFor(outputEncoding)?.write(bytes) ?? bytes;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a stream declares a method of this name with another meaning
  final(outputEncoding?: string): any {
    const last = callHost<Buffer>('finishCipher', this.#id);
    return this.#decoderFor(outputEncoding)?.end(last) ?? last;
  }

  setAAD(aad: unknown, options?: object): this {
    callHost('setAad', this.#id, toBuffer(aad), options);
    return this;
  }

  getAuthTag(): Buffer {
    return callHost('getAuthTag', this.#id);
  }

  setAuthTag(tag: unknown, encoding?: string): this {
    callHost('setAuthTag', this.#id, toBuffer(tag, encoding));
    return this;
  }

  setAutoPadding(isPadded = true): this {
    callHost('setAutoPadding', this.#id, isPadded);
    return this;
  }

  #decoderFor(encoding: string | undefined): StringDecoder | undefined {
    if (!encoding || encoding === 'buffer') return undefined;
    this.#decoder ??= new StringDecoder(encoding as BufferEncoding);
    return this.#decoder;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    passTo(done, () => this.update(chunk));
  }

  override _flush(done: TransformCallback): void {
    passTo(done, () => this.final() as Buffer);
  }
}

/** Passes a result, or the error in its place, to the callback of a stream. */
export function passTo(done: TransformCallback, compute: () => unknown): void {
  let result: unknown;
  try {
    result = compute();
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, result);
}
