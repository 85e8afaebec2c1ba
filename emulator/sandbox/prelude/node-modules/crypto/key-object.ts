import type { GuestKey } from '../../../host/crypto/operation.js';
import { callCrypto, callCryptoForBytes, toBuffer } from './host-calls.js';

interface KeyDetails {
  asymmetricKeyType?: string;
  asymmetricKeyDetails?: Record<string, unknown>;
}

/** What the host reports of an asymmetric key. */
type ImportedKey = GuestKey & KeyDetails;

interface ExportOptions {
  format?: string;
  type?: string;
}

/** `crypto.KeyObject`. The guest holds its bytes; the host parses them for each use. */
export class KeyObject {
  readonly type: GuestKey['type'];
  readonly #data: string;
  readonly #details: KeyDetails;

  constructor({ type, data, ...details }: ImportedKey) {
    this.type = type;
    this.#data = data;
    this.#details = details;
  }

  get asymmetricKeyType(): string | undefined {
    return this.#details.asymmetricKeyType;
  }

  get asymmetricKeyDetails(): Record<string, unknown> | undefined {
    const { asymmetricKeyDetails: details } = this.#details;
    return details && 'publicExponent' in details
      ? { ...details, publicExponent: BigInt(String(details.publicExponent)) }
      : details;
  }

  get symmetricKeySize(): number | undefined {
    return this.type === 'secret' ? Buffer.from(this.#data, 'base64').length : undefined;
  }

  export(options: ExportOptions = {}): unknown {
    if (this.type === 'secret') {
      const bytes = Buffer.from(this.#data, 'base64');
      return options.format === 'jwk' ? { kty: 'oct', k: bytes.toString('base64url') } : bytes;
    }
    if (options.format === 'der') return callCryptoForBytes('exportKey', this, options);
    return callCrypto('exportKey', this, options);
  }

  equals(other: KeyObject): boolean {
    return this.type === other.type && this.#data === other.#data;
  }

  toGuestKey(): GuestKey {
    return { type: this.type, data: this.#data };
  }
}

export const createSecretKey = (key: unknown, encoding?: string): KeyObject =>
  new KeyObject({ type: 'secret', data: toBuffer(key, encoding).toString('base64') });

export const createPrivateKey = (key: unknown): KeyObject =>
  new KeyObject(callCrypto<ImportedKey>('importPrivateKey', key));

export const createPublicKey = (key: unknown): KeyObject =>
  new KeyObject(callCrypto<ImportedKey>('importPublicKey', key));

export interface PairOptions {
  publicKeyEncoding?: ExportOptions;
  privateKeyEncoding?: ExportOptions;
  [option: string]: unknown;
}

export function generateKeyPairSync(type: string, options: PairOptions = {}) {
  const { publicKeyEncoding, privateKeyEncoding, ...rest } = options;
  const pair = callCrypto<{ publicKey: ImportedKey; privateKey: ImportedKey }>('generateKeyPair', type, rest);
  const [publicKey, privateKey] = [new KeyObject(pair.publicKey), new KeyObject(pair.privateKey)];
  return {
    publicKey: publicKeyEncoding ? publicKey.export(publicKeyEncoding) : publicKey,
    privateKey: privateKeyEncoding ? privateKey.export(privateKeyEncoding) : privateKey,
  };
}
