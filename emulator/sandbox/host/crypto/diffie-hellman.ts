import { createDiffieHellman, type DiffieHellman, getDiffieHellman } from 'node:crypto';
import { VisibleError } from '../../outcome.js';
import type { HostFunction } from '../services.js';
import { chargeDiffieHellman, type DiffieHellmanOptions } from './diffie-hellman-costs.js';
import { HostObjects } from './host-objects.js';
import { createOperation } from './operation.js';

const exchanges = new HostObjects<DiffieHellman>('Diffie-Hellman exchange');

function create(options: DiffieHellmanOptions): string {
  chargeDiffieHellman(options);
  const { group, prime, generator } = options;
  const exchange =
    group === undefined
      ? createDiffieHellman(prime as Buffer, generator as number)
      : (getDiffieHellman(group) as DiffieHellman);
  return exchanges.add(exchange);
}

/** The time of an exchange grows with the length of its private key, which may not be that of the prime only when code sets it. */
function setPrivateKey(id: string, key: Buffer): null {
  const exchange = exchanges.find(id);
  const limit = exchange.getPrime().length;
  if (key.length > limit)
    throw new VisibleError(`The private key may have at most the ${limit} bytes of the prime.`, 'RangeError');
  exchange.setPrivateKey(key);
  return null;
}

export const DIFFIE_HELLMAN_FUNCTIONS: Record<string, HostFunction> = {
  createDiffieHellman: createOperation(create),
  dhGenerateKeys: createOperation((id: string) => exchanges.find(id).generateKeys()),
  dhComputeSecret: createOperation((id: string, other: Buffer) => exchanges.find(id).computeSecret(other)),
  dhPrime: createOperation((id: string) => exchanges.find(id).getPrime()),
  dhGenerator: createOperation((id: string) => exchanges.find(id).getGenerator()),
  dhPublicKey: createOperation((id: string) => exchanges.find(id).getPublicKey()),
  dhPrivateKey: createOperation((id: string) => exchanges.find(id).getPrivateKey()),
  dhVerifyError: createOperation((id: string) => exchanges.find(id).verifyError),
  dhSetPublicKey: createOperation((id: string, key: Buffer) => {
    exchanges.find(id).setPublicKey(key);
    return null;
  }),
  dhSetPrivateKey: createOperation(setPrivateKey),
};
