import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import pLimit, { type LimitFunction } from 'p-limit';

const MODULUS_BITS = 2_048;
/** One at a time: each takes a thread for up to a second, and there are few, which also read and write files. */
const generation = pLimit(1);

/** Makes an RSA key, both halves in PEM. @param encryption of the private half, in PKCS #8; by default, none */
export const generateRsaKey = (encryption: { cipher?: string; passphrase?: string } = {}) =>
  generation(() =>
    promisify(generateKeyPair)('rsa', {
      modulusLength: MODULUS_BITS,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', ...encryption },
    }),
  );

/** Returns a function that does the work of a tenant one after another, so that tenants take turns in what they share. */
export function tenantTurns(): <T>(tenantId: string, work: () => Promise<T>) => Promise<T> {
  const turns = new LRUCache<string, LimitFunction>({ max: 1_000 });
  return (tenantId, work) => {
    const turn = turns.get(tenantId) ?? pLimit(1);
    turns.set(tenantId, turn);
    return turn(work);
  };
}
