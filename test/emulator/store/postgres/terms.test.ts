import { describe, expect, it } from 'vitest';
import { createTermHasher, HASH_LENGTH } from '../../../../emulator/store/postgres/terms.js';

const hasherOf = (key: number) => {
  const hasher = createTermHasher(Buffer.alloc(32, key));
  return (term: string, value: string) => hasher('tokens', 't', term, value);
};
const hasher = hasherOf(1);

const TERMS: [string, string][] = [
  ['type', 'card'],
  ['container', '/pci/'],
  ['metadata', 'k'],
  ['metadata.k', 'v'],
  ['search', 'v'],
  ['fingerprint', 'v'],
];

describe('the hash of an index term', () => {
  it.each(TERMS)('depends on the secret: %s', (term, value) => {
    const other = hasherOf(2);
    expect(hasher(term, value)).toBe(hasher(term, value));
    expect(hasher(term, value)).not.toBe(other(term, value));
    expect(hasher(term, value)).toHaveLength(HASH_LENGTH);
  });

  it.each<[string, [string, string], [string, string]]>([
    ['where the key ends', ['metadata.a', '\0b'], ['metadata.a\0', 'b']],
    ['lone surrogates', ['metadata.a', '\ud800'], ['metadata.a', '\ud801']],
    ['quotes', ['metadata.a","', 'b'], ['metadata.a', '","b']],
  ])('differs for terms that differ in %s', (_, one, other) => {
    expect(hasher(...one)).not.toBe(hasher(...other));
  });
});
