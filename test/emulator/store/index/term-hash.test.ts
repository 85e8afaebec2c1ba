import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTermHasher, HASH_LENGTH } from '../../../../emulator/store/index/term-hash.js';
import { open, temporaryDataDir } from '../../../support/data-dir.js';
import { insert, token } from '../contract.js';

const hasher = createTermHasher(Buffer.alloc(32, 1));

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
    const other = createTermHasher(Buffer.alloc(32, 2));
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

  it('is not the same in the journals of two data directories', async () => {
    const hashesOf = async (): Promise<string[]> => {
      const dataDir = await temporaryDataDir();
      const store = await open(dataDir);
      await insert(store, token('a', 0, { metadata: { k: 'v' }, fingerprint: 'F', created_by: 'app' }));
      await store.close();
      const journal = await readFile(join(dataDir, 'journal', '00000001.jsonl'), 'utf8');
      const { index } = JSON.parse(journal.split('\n').find((line) => line.includes('"put":"tokens"')) ?? '');
      return (index[2] as string).match(/.{10}/g) ?? [];
    };
    const [one, other] = [await hashesOf(), await hashesOf()];
    expect(one).toHaveLength(8);
    expect(one.filter((hash) => other.includes(hash))).toEqual([]);
  });
});
