import { checkPrimeSync, generatePrimeSync } from 'node:crypto';
import { VisibleError } from '../../outcome.js';
import type { HostFunction } from '../services.js';
import { chargePrime, chargePrimeCheck } from './costs.js';
import { createOperation } from './operation.js';

interface PrimeOptions {
  safe?: boolean;
  add?: Buffer;
  rem?: Buffer;
}

function generatePrime(bits: number, { safe = false, add, rem }: PrimeOptions = {}): Uint8Array {
  // OpenSSL searches for ever where no prime has the remainder.
  if (add !== undefined || rem !== undefined)
    throw new VisibleError('Primes with "add" or "rem" cannot be generated.', 'Error');
  chargePrime(bits, safe);
  return new Uint8Array(generatePrimeSync(bits, { safe }));
}

function checkPrime(candidate: Buffer, { checks }: { checks?: number } = {}): boolean {
  chargePrimeCheck(candidate, checks);
  return checkPrimeSync(candidate, { ...(checks !== undefined && { checks }) });
}

export const PRIME_FUNCTIONS: Record<string, HostFunction> = {
  generatePrime: createOperation(generatePrime),
  checkPrime: createOperation(checkPrime),
};
