import { callCrypto, callCryptoForBytes, toBuffer, toEncoding } from './host-calls.js';

/** `crypto.ECDH`. */
export class ECDH {
  readonly #curve: string;
  #privateKey: Buffer = Buffer.alloc(0);

  constructor(curve: string) {
    this.#curve = curve;
    this.generateKeys();
  }

  generateKeys(encoding?: string, format?: string): Buffer | string {
    this.#privateKey = Buffer.from(callCrypto<string>('generateEcdh', this.#curve), 'base64');
    return this.getPublicKey(encoding, format);
  }

  getPublicKey(encoding?: string | null, format?: string): Buffer | string {
    return toEncoding(callCryptoForBytes('ecdhPublicKey', this.#curve, this.#privateKey, format), encoding);
  }

  getPrivateKey(encoding?: string): Buffer | string {
    return toEncoding(this.#privateKey, encoding);
  }

  setPrivateKey(key: unknown, encoding?: string): void {
    const bytes = toBuffer(key, encoding);
    callCryptoForBytes('ecdhPublicKey', this.#curve, bytes);
    this.#privateKey = Buffer.from(bytes);
  }

  computeSecret(other: unknown, inputEncoding?: string, outputEncoding?: string): Buffer | string {
    const secret = callCryptoForBytes(
      'ecdhSecret',
      this.#curve,
      this.#privateKey,
      toBuffer(other, inputEncoding),
    );
    return toEncoding(secret, outputEncoding);
  }
}
