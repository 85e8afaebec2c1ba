import { expect, test } from 'vitest';
import { cacheHashes } from '../../../../emulator/store/index/hash-cache.js';

test('hashes of common values are kept, those of long values are not', () => {
  const hashed: string[] = [];
  const hasher = cacheHashes((_term, value) => {
    hashed.push(value);
    return 'hash';
  });
  const long = 'x'.repeat(100_000);
  for (const value of ['card', 'card', long, long]) expect(hasher('metadata', value)).toBe('hash');
  expect(hashed).toEqual(['card', long, long]);
});
