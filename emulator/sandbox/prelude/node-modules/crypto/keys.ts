import { Writable } from 'node:stream';
import type { GuestKey } from '../../../host/crypto/keys.js';
import { callHost, type KeyLike } from '../../bridge/host.js';
import { toBuffer, toEncoding } from '../buffer.js';

type KeyDetails = { asymmetricKeyType?: string; asymmetricKeyDetails?: Record<string, unknown> };

/** What the host reports of an asymmetric key. */
type ImportedKey = GuestKey & KeyDetails;

type ExportOptions = { format?: string; type?: string };

/** `crypto.KeyObject`. The guest holds its bytes; the host parses them for each use. */
export class KeyObject implements KeyLike {
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
    return this.type === 'secret' ? toBuffer(this).length : undefined;
  }

  export(options: ExportOptions = {}): unknown {
    if (this.type !== 'secret') return callHost('exportKey', this, options);
    const bytes = toBuffer(this);
    return options.format === 'jwk' ? { kty: 'oct', k: bytes.toString('base64url') } : bytes;
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

export const createPrivateKey = (key: unknown): KeyObject => new KeyObject(callHost('importPrivateKey', key));

export const createPublicKey = (key: unknown): KeyObject => new KeyObject(callHost('importPublicKey', key));

interface PairOptions {
  publicKeyEncoding?: ExportOptions;
  privateKeyEncoding?: ExportOptions;
  [option: string]: unknown;
}

export function generateKeyPairSync(type: string, options: PairOptions = {}) {
  const { publicKeyEncoding, privateKeyEncoding, ...rest } = options;
  const pair = callHost<{ publicKey: ImportedKey; privateKey: ImportedKey }>('generateKeyPair', type, rest);
  const [publicKey, privateKey] = [new KeyObject(pair.publicKey), new KeyObject(pair.privateKey)];
  return {
    publicKey: publicKeyEncoding ? publicKey.export(publicKeyEncoding) : publicKey,
    privateKey: privateKeyEncoding ? privateKey.export(privateKeyEncoding) : privateKey,
  };
}

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
    return toEncoding(callHost('sign', this.algorithm, this.collected(), key), encoding);
  }
}

export class Verify extends Collector {
  verify(key: unknown, signature: unknown, encoding?: string): boolean {
    return callHost('verify', this.algorithm, this.collected(), key, toBuffer(signature, encoding));
  }
}

export class ECDH {
  readonly #curve: string;
  #privateKey: Buffer = Buffer.alloc(0);

  constructor(curve: string) {
    this.#curve = curve;
    this.generateKeys();
  }

  generateKeys(encoding?: string, format?: string): Buffer | string {
    this.#privateKey = callHost('generateEcdh', this.#curve);
    return this.getPublicKey(encoding, format);
  }

  getPublicKey(encoding?: string | null, format?: string): Buffer | string {
    return toEncoding(callHost('ecdhPublicKey', this.#curve, this.#privateKey, format), encoding);
  }

  getPrivateKey(encoding?: string): Buffer | string {
    return toEncoding(this.#privateKey, encoding);
  }

  setPrivateKey(key: unknown, encoding?: string): void {
    const bytes = toBuffer(key, encoding);
    callHost('ecdhPublicKey', this.#curve, bytes);
    this.#privateKey = Buffer.from(bytes);
  }

  computeSecret(other: unknown, inputEncoding?: string, outputEncoding?: string): Buffer | string {
    const key = toBuffer(other, inputEncoding);
    return toEncoding(callHost('ecdhSecret', this.#curve, this.#privateKey, key), outputEncoding);
  }
}
