import { Writable } from 'node:stream';
import { callCrypto, callCryptoForBytes, toBuffer, toEncoding } from './host-calls.js';

/** Collects what is to be signed, because the host signs in one call. */
abstract class Collector extends Writable {
  protected readonly algorithm: string;
  readonly #parts: Buffer[] = [];

  constructor(algorithm: string) {
    super();
    this.algorithm = algorithm;
  }

  update(data: unknown, encoding?: string): this {
    this.#parts.push(Buffer.from(toBuffer(data, encoding)));
    return this;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.update(chunk);
    done();
  }

  protected collected(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

export class Sign extends Collector {
  sign(key: unknown, encoding?: string): Buffer | string {
    return toEncoding(callCryptoForBytes('sign', this.algorithm, this.collected(), key), encoding);
  }
}

export class Verify extends Collector {
  verify(key: unknown, signature: unknown, encoding?: string): boolean {
    return callCrypto('verify', this.algorithm, this.collected(), key, toBuffer(signature, encoding));
  }
}

export const sign = (algorithm: string | null | undefined, data: unknown, key: unknown): Buffer =>
  callCryptoForBytes('sign', algorithm ?? null, toBuffer(data), key);

export const verify = (
  algorithm: string | null | undefined,
  data: unknown,
  key: unknown,
  signature: unknown,
): boolean => callCrypto('verify', algorithm ?? null, toBuffer(data), key, toBuffer(signature));
