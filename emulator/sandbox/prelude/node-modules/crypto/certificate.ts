import { callCrypto, toBuffer } from './host-calls.js';
import { type ImportedKey, KeyObject } from './key-object.js';

interface Described {
  properties: Record<string, unknown>;
  raw: string;
  publicKey: ImportedKey;
  pem: string;
}

/** `crypto.X509Certificate`. */
export class X509Certificate {
  readonly raw: Buffer;
  readonly publicKey: KeyObject;
  readonly #pem: string;

  constructor(data: unknown) {
    const { properties, raw, publicKey, pem } = callCrypto<Described>('certificate', toBuffer(data));
    Object.assign(this, properties);
    this.raw = Buffer.from(raw, 'base64');
    this.publicKey = new KeyObject(publicKey);
    this.#pem = pem;
  }

  verify(key: KeyObject): boolean {
    return callCrypto('verifyCertificate', this.raw, key);
  }

  toString(): string {
    return this.#pem;
  }

  toJSON(): string {
    return this.#pem;
  }
}
