import { callCrypto, callCryptoForBytes, toBuffer, toEncoding } from './host-calls.js';

interface Options {
  group?: string;
  prime?: Buffer;
  generator?: unknown;
}

/** `crypto.DiffieHellmanGroup`: an exchange in a group whose keys are generated. The host has its state. */
export class DiffieHellmanGroup {
  protected readonly id: string;
  readonly verifyError: number;

  constructor(options: Options) {
    this.id = callCrypto('createDiffieHellman', options);
    this.verifyError = callCrypto('dhVerifyError', this.id);
  }

  generateKeys(encoding?: string): Buffer | string {
    return toEncoding(callCryptoForBytes('dhGenerateKeys', this.id), encoding);
  }

  computeSecret(other: unknown, inputEncoding?: string, outputEncoding?: string): Buffer | string {
    const secret = callCryptoForBytes('dhComputeSecret', this.id, toBuffer(other, inputEncoding));
    return toEncoding(secret, outputEncoding);
  }

  getPrime(encoding?: string): Buffer | string {
    return toEncoding(callCryptoForBytes('dhPrime', this.id), encoding);
  }

  getGenerator(encoding?: string): Buffer | string {
    return toEncoding(callCryptoForBytes('dhGenerator', this.id), encoding);
  }

  getPublicKey(encoding?: string): Buffer | string {
    return toEncoding(callCryptoForBytes('dhPublicKey', this.id), encoding);
  }

  getPrivateKey(encoding?: string): Buffer | string {
    return toEncoding(callCryptoForBytes('dhPrivateKey', this.id), encoding);
  }
}

/** `crypto.DiffieHellman`: an exchange with a given prime, whose keys can be set. */
export class DiffieHellman extends DiffieHellmanGroup {
  setPublicKey(key: unknown, encoding?: string): void {
    callCrypto('dhSetPublicKey', this.id, toBuffer(key, encoding));
  }

  setPrivateKey(key: unknown, encoding?: string): void {
    callCrypto('dhSetPrivateKey', this.id, toBuffer(key, encoding));
  }
}

export const getDiffieHellman = (group: string): DiffieHellmanGroup => new DiffieHellmanGroup({ group });

/** Takes `(prime, [encoding], [generator], [encoding])`; a number as `prime` would be the length of one. */
export function createDiffieHellman(prime: unknown, ...rest: unknown[]): DiffieHellman {
  if (typeof prime === 'number') return new DiffieHellman({});
  const encoding = typeof prime === 'string' ? (rest.shift() as string) : undefined;
  if (encoding === undefined && typeof rest[0] === 'string' && rest.length > 1) rest.shift();
  const [generator, generatorEncoding] = rest;
  return new DiffieHellman({
    prime: toBuffer(prime, encoding),
    ...(generator !== undefined && {
      generator: typeof generator === 'number' ? generator : toBuffer(generator, generatorEncoding as string),
    }),
  });
}
