import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { matchesName } from '../../../../emulator/operations/resource/crud.js';
import { createReactor, useServer } from '../../../support/test-server.js';

const server = useServer();
const NAMES = ['Charge card', 'charge-bank', 'refund', 'Refund (old)', 'a*b'];
const ids: string[] = [];

beforeAll(async () => {
  for (const name of NAMES) ids.push(await createReactor(server, 'module.exports = () => {};', { name }));
});

it('GET /reactors filters by name and id are combined, and the total counts the matches', async () => {
  const { body } = await server.get(`/reactors?name=charge*&id=${ids[0]}&id=${ids[2]}&size=1`, {
    as: 'management',
  });
  expect(body.pagination).toMatchObject({ total_items: 1, total_pages: 1 });
});

const asRegExp = (pattern: string) => {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'isu');
};
const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '.', '['), maxLength: 12 });
const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.', '['), maxLength: 8 });

it('name patterns match as the equivalent regular expression does', () => {
  fc.assert(
    fc.property(letters, patterns, (name, pattern) => {
      fc.pre(/[*?]/.test(pattern));
      expect(matchesName(name, pattern)).toBe(asRegExp(pattern).test(name));
    }),
  );
});

it('name patterns take linear time with many stars', () => {
  expect(matchesName('a'.repeat(200), `${'*a'.repeat(2_000)}b`)).toBe(false);
});
