import { createHmac } from 'node:crypto';

/** Hashes a term and its value to 53 bits, a number that JSON can hold. Collisions are possible: results must be checked. */
export type TermHasher = (term: string, value: string) => number;

/**
 * Creates the hasher of index terms. The journal holds the hashes, so that a start need not read the records. Those of the one
 * term made of token data, `search`, are therefore keyed: without the key they say nothing.
 */
export function createTermHasher(key: Uint8Array): TermHasher {
  return (term, value) => (term === 'search' ? keyedHash(key, value) : hash(term, value));
}

function keyedHash(key: Uint8Array, value: string): number {
  return createHmac('sha256', key).update(value).digest().readUIntBE(0, 6);
}

/** cyrb53: two multiplicative hashes side by side. */
function hash(term: string, value: string): number {
  let h1 = 0xdeadbeef;
  let h2 = 0x41c6ce57;
  // A zero separates the two.
  const end = term.length;
  for (let i = 0; i <= end; i += 1) {
    const code = i < end ? term.charCodeAt(i) : 0;
    h1 = Math.imul(h1 ^ code, 2654435761);
    h2 = Math.imul(h2 ^ code, 1597334677);
  }
  for (let i = 0; i < value.length; i += 1) {
    const code = value.charCodeAt(i);
    h1 = Math.imul(h1 ^ code, 2654435761);
    h2 = Math.imul(h2 ^ code, 1597334677);
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909);
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909);
  return 4294967296 * (2097151 & h2) + (h1 >>> 0);
}
