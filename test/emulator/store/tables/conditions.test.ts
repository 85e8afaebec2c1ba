import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { COLLECTIONS } from '../../../../emulator/store/collections.js';
import type { Condition } from '../../../../emulator/store/condition.js';
import { matches } from '../../../../emulator/store/matches.js';
import { createMemoryStore } from '../../../../emulator/store/memory-store.js';
import type { TokenRecord } from '../../../../emulator/store/records.js';
import type { Store } from '../../../../emulator/store/store.js';
import { insert, TENANT, token } from '../contract.js';

/** More than fit into a page that is sorted. */
const TOKENS = 6000;

const tokens: TokenRecord[] = Array.from({ length: TOKENS }, (_, i) =>
  token(`token-${(i * 7919) % TOKENS}`, Math.floor(i / 3) % 4000, {
    type: i % 10 === 0 ? 'card' : 'token',
    containers: [i % 2 === 0 ? '/pci/high/' : '/general/high/'],
    metadata: { group: `g${i % 3}`, single: `s${i}` },
    ...(i % 4 === 0 ? { expires_at: new Date((i + 1) * 1000).toISOString() } : {}),
  }),
);

const time = fc.integer({ min: -1000, max: TOKENS * 1000 });
const simple = fc.oneof(
  fc.constantFrom<Condition<'tokens'>>(
    { term: 'type', is: 'card' },
    { term: 'type', is: 'token' },
    { term: 'container', is: '/' },
    { term: 'container', is: '/pci/' },
    { term: 'metadata.group', is: 'G1' },
    { term: 'metadata.single', is: 's17' },
    { term: 'metadata.single', prefix: 'S1' },
    { term: 'metadata.single', is: 'nothing' },
    { ids: ['token-1', 'token-5', 'unknown'] },
    { all: [] },
    { any: [] },
  ),
  time.map((lte): Condition<'tokens'> => ({ range: 'expires_at', lte })),
  time.map((gt): Condition<'tokens'> => ({ range: 'expires_at', gt, lt: gt + 1_000_000 })),
  fc.integer({ min: 0, max: 4000 }).map((minute): Condition<'tokens'> => {
    return { range: 'created_at', gte: Date.UTC(2026, 10, 1, 0, minute) };
  }),
);

const { condition } = fc.letrec<{ condition: Condition<'tokens'> }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
  ),
}));

let store: Store;
beforeAll(async () => {
  store = createMemoryStore();
  await insert(store, ...tokens.map((record) => structuredClone(record)));
});

it('the indexes find what a scan of all records finds, page by page', async () => {
  const ordered = tokens.toSorted((a, b) => {
    return Date.parse(b.created_at) - Date.parse(a.created_at) || (a.id < b.id ? -1 : 1);
  });
  await fc.assert(
    fc.asyncProperty(condition, fc.nat({ max: 3000 }), fc.nat({ max: 50 }), async (where, offset, limit) => {
      const found = await store.find('tokens', { tenantId: TENANT, where, offset, limit });
      const expected = ordered.filter((record) => matches(COLLECTIONS.tokens, record, where));
      expect(found.total).toBe(expected.length);
      expect(found.records.map(({ id }) => id)).toEqual(
        expected.slice(offset, offset + limit).map(({ id }) => id),
      );
    }),
    { numRuns: 150 },
  );
});
