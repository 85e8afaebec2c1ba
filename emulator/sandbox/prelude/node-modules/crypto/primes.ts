import { callCrypto, callCryptoForBytes, toBuffer } from './host-calls.js';

interface PrimeOptions {
  add?: unknown;
  rem?: unknown;
  safe?: boolean;
  bigint?: boolean;
}

export function generatePrimeSync(size: number, options: PrimeOptions = {}): ArrayBuffer | bigint {
  const { bigint = false, ...rest } = options;
  const prime = callCryptoForBytes('generatePrime', size, rest);
  if (bigint) return BigInt(`0x${prime.toString('hex')}`);
  return prime.buffer.slice(prime.byteOffset, prime.byteOffset + prime.byteLength) as ArrayBuffer;
}

const argumentError = (error: Error, code: string): Error => Object.assign(error, { code });

function toCandidate(candidate: unknown): Buffer {
  if (typeof candidate === 'string')
    throw argumentError(
      new TypeError(
        'The "candidate" argument must be of type bigint or an instance of ArrayBuffer or Buffer.',
      ),
      'ERR_INVALID_ARG_TYPE',
    );
  if (typeof candidate !== 'bigint') return toBuffer(candidate);
  if (candidate < 0n)
    throw argumentError(
      new RangeError('The value of "candidate" is out of range. It must be >= 0.'),
      'ERR_OUT_OF_RANGE',
    );
  const digits = candidate.toString(16);
  return Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex');
}

export const checkPrimeSync = (candidate: unknown, options: { checks?: number } = {}): boolean =>
  callCrypto('checkPrime', toCandidate(candidate), options);
