import { getDiffieHellman } from 'node:crypto';
import { VisibleError } from '../../outcome.js';
import { chargePrimeCheck } from './costs.js';

/** Options of `generateKeyPair('dh')`, and the arguments of `createDiffieHellman` under these names. */
export interface DiffieHellmanOptions {
  group?: string;
  prime?: Buffer;
  primeLength?: number;
  generator?: number | Buffer;
}

const GROUPS = ['modp1', 'modp2', 'modp5', 'modp14', 'modp15', 'modp16', 'modp17', 'modp18'];
/** The generator of these groups, which is also the default. */
const GENERATOR = 2;

/** OpenSSL knows these groups (RFC 2409, RFC 3526) and checks nothing. */
function isKnownGroup(prime: Buffer, generator: number | Buffer = GENERATOR): boolean {
  const value = Buffer.isBuffer(generator) ? Number(`0x${generator.toString('hex')}`) : generator;
  return value === GENERATOR && GROUPS.some((name) => getDiffieHellman(name).getPrime().equals(prime));
}

/** Any other prime is checked, and so is half of it. */
export function chargeDiffieHellman({ group, prime, generator }: DiffieHellmanOptions): void {
  if (group !== undefined) return;
  if (!prime)
    throw new VisibleError(
      'Parameters of Diffie-Hellman cannot be generated. Name a group, such as "modp14", or give a prime.',
      'Error',
    );
  if (!isKnownGroup(prime, generator)) chargePrimeCheck(prime);
}
