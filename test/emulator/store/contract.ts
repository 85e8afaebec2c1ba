import { describe, expect, it, onTestFinished } from 'vitest';
import { monthlyActiveTokens, removalOf } from '../../../emulator/services/activity.js';
import type { Condition } from '../../../emulator/store/condition.js';
import { ConflictError } from '../../../emulator/store/errors.js';
import type { Stored, TokenRecord } from '../../../emulator/store/records.js';
import type { Store } from '../../../emulator/store/store.js';

export const TENANT = '00000000-0000-4000-8000-000000000001';
export const OTHER_TENANT = '00000000-0000-4000-8000-000000000002';

/** A token as small as it can be; `minute` is when it was created. */
export function token(id: string, minute = 0, more: Partial<TokenRecord> = {}): TokenRecord {
  return {
    id,
    tenant_id: TENANT,
    type: 'token',
    data: `data of ${id}`,
    containers: ['/general/high/'],
    created_at: new Date(Date.UTC(2026, 10, 1, 0, minute)).toISOString(),
    ...more,
  };
}

/** An entry of the audit log, recorded at this number of milliseconds, which is its id as well. */
export function logEntry(number: number, more: object = {}) {
  const what = { actor_type: 'system', entity_type: 'token', operation: 'read' } as const;
  const created_at = new Date(number).toISOString();
  const record = { id: `${number}`, tenant_id: TENANT, ...what, created_at, ...more };
  return { insert: 'log', record } as const;
}

/** The ids of the tokens that a store finds, in its order. */
export const idsIn = async (store: Store, where?: Condition<'tokens'>): Promise<string[]> =>
  (await store.find('tokens', where ? { tenantId: TENANT, where } : {})).records.map(({ id }) => id);

export async function read(store: Store, id: string): Promise<Stored<TokenRecord>> {
  const found = await store.get('tokens', TENANT, id);
  if (found === undefined) throw new Error(`${id} is not stored.`);
  return found;
}

export async function insert(store: Store, ...tokens: TokenRecord[]): Promise<void> {
  await store.commit(tokens.map((record) => ({ insert: 'tokens', record })));
}

/** The contract of every store, wherever its records are. */
export function describeStore(name: string, open: () => Promise<Store>): void {
  const use = async () => {
    const store = await open();
    onTestFinished(() => store.close());
    return store;
  };
  const ids = async (
    store: Store,
    where?: Condition<'tokens'>,
    page: { offset?: number; limit?: number } = {},
  ) => {
    const query = { tenantId: TENANT, ...page, ...(where === undefined ? {} : { where }) };
    const { records, total } = await store.find('tokens', query);
    return { ids: records.map(({ id }) => id), total };
  };

  describe(`${name}: records`, () => {
    it('returns what was inserted, to its own tenant only', async () => {
      const store = await use();
      await insert(
        store,
        token('a', 1, { data: { n: 1, text: 'ü€😀\n"\u2028' }, mask: null, metadata: { Key: 'Value' } }),
      );
      expect(await store.get('tokens', TENANT, 'a')).toMatchObject({
        data: { n: 1, text: 'ü€😀\n"\u2028' },
        mask: null,
        metadata: { Key: 'Value' },
      });
      expect(await store.get('tokens', OTHER_TENANT, 'a')).toBeUndefined();
      expect(await store.get('tokens', TENANT, 'b')).toBeUndefined();
    });

    it('replaces a record only if it still has the revision that was read', async () => {
      const store = await use();
      await insert(store, token('a'));
      const record = await read(store, 'a');
      await store.commit([{ replace: 'tokens', record: { ...record, data: 'first' } }]);
      const second = store.commit([{ replace: 'tokens', record: { ...record, data: 'second' } }]);
      await expect(second).rejects.toMatchObject({ name: 'ConflictError', reason: 'revision', id: 'a' });
      expect(await store.get('tokens', TENANT, 'a')).toMatchObject({ data: 'first' });
    });

    it('removes a record, and reports a missing one', async () => {
      const store = await use();
      await insert(store, token('a'));
      await store.commit([{ remove: 'tokens', tenantId: TENANT, id: 'a' }]);
      expect(await store.get('tokens', TENANT, 'a')).toBeUndefined();
      expect(await ids(store)).toEqual({ ids: [], total: 0 });
      const again = store.commit([{ remove: 'tokens', tenantId: TENANT, id: 'a' }]);
      await expect(again).rejects.toMatchObject({ reason: 'missing' });
      await insert(store, token('a', 0, { data: 'again' }));
      expect(await store.get('tokens', TENANT, 'a')).toMatchObject({ data: 'again' });
    });

    it('keeps the same id apart in two tenants', async () => {
      const store = await use();
      await insert(store, token('a'), token('a', 0, { tenant_id: OTHER_TENANT, data: 'other' }));
      await store.commit([{ remove: 'tokens', tenantId: TENANT, id: 'a' }]);
      expect(await store.get('tokens', OTHER_TENANT, 'a')).toMatchObject({ data: 'other' });
    });
  });

  describe(`${name}: commits`, () => {
    it('makes all changes of a commit or none', async () => {
      const store = await use();
      await insert(store, token('a'));
      const failing = store.commit([
        { insert: 'tokens', record: token('b') },
        { insert: 'tokens', record: token('a') },
      ]);
      await expect(failing).rejects.toBeInstanceOf(ConflictError);
      expect(await ids(store)).toEqual({ ids: ['a'], total: 1 });
    });

    it('names the first id that is taken, be it by the commit itself', async () => {
      const store = await use();
      await insert(store, token('a'));
      await insert(store, token('b'));
      const ids = (...all: string[]) => insert(store, ...all.map((id) => token(id)));
      await expect(ids('b', 'c', 'c')).rejects.toMatchObject({ reason: 'id', id: 'b' });
      await expect(ids('c', 'c', 'b')).rejects.toMatchObject({ reason: 'id', id: 'c' });
    });

    it('stores one of many equal records that are inserted at once', async () => {
      const store = await use();
      const unless = { term: 'fingerprint', is: 'F' } as const;
      const equal = (id: string) =>
        store.commit([{ insert: 'tokens', record: token(id, 0, { fingerprint: 'F' }), unless }]);
      const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map(equal));
      const conflicts = results.filter((result) => result.status === 'rejected');
      const { ids: stored } = await ids(store);
      expect(stored).toHaveLength(1);
      expect(conflicts.map(({ reason }) => [reason.reason, reason.id])).toEqual(
        Array(3).fill(['unless', stored[0]]),
      );
    });

    it('lets one of many updates of the same revision win', async () => {
      const store = await use();
      await insert(store, token('a'));
      const record = await read(store, 'a');
      const results = await Promise.allSettled(
        [1, 2, 3].map((data) => store.commit([{ replace: 'tokens', record: { ...record, data } }])),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('sees the earlier changes of the same commit', async () => {
      const store = await use();
      await insert(store, token('a', 0, { fingerprint: 'F' }));
      const [record, unless] = [
        token('b', 0, { fingerprint: 'F' }),
        { term: 'fingerprint', is: 'F' } as const,
      ];
      await store.commit([
        { remove: 'tokens', tenantId: TENANT, id: 'a' },
        { insert: 'tokens', record, unless },
      ]);
      expect(await ids(store)).toEqual({ ids: ['b'], total: 1 });
    });

    it('does not treat a record as its own duplicate', async () => {
      const store = await use();
      await insert(store, token('a', 0, { fingerprint: 'F' }), token('b', 0, { fingerprint: 'G' }));
      const unless = { term: 'fingerprint', is: 'F' } as const;
      await store.commit([{ replace: 'tokens', record: await read(store, 'a'), unless }]);
      const record = { ...(await read(store, 'b')), fingerprint: 'F' };
      const other = store.commit([{ replace: 'tokens', record, unless }]);
      await expect(other).rejects.toMatchObject({ reason: 'unless', id: 'a' });
    });

    it('clears a tenant, or everything, and keeps what the same commit adds', async () => {
      const store = await use();
      await insert(store, token('a'), token('b', 0, { tenant_id: OTHER_TENANT }));
      await store.commit([
        { clear: 'tenant', tenantId: TENANT },
        { insert: 'tokens', record: token('a', 0, { data: 'new' }) },
      ]);
      expect(await store.get('tokens', TENANT, 'a')).toMatchObject({ data: 'new' });
      expect(await store.get('tokens', OTHER_TENANT, 'b')).toBeDefined();
      await store.commit([{ clear: 'everything' }, { insert: 'settings', record: { id: 'x', value: 1 } }]);
      expect((await store.find('tokens', {})).total).toBe(0);
      expect((await store.find('settings', {})).total).toBe(1);
    });

    it('keeps what is inserted after a clear, even if that waits for another tenant', async () => {
      const store = await use();
      await Promise.all([
        insert(store, token('a', 1, { tenant_id: OTHER_TENANT })),
        store.commit([{ clear: 'tenant', tenantId: TENANT }]),
        insert(store, token('a')),
      ]);
      expect(await store.get('tokens', TENANT, 'a')).toBeDefined();
    });

    it('inserts nothing into a required tenant that is missing or being cleared', async () => {
      const store = await use();
      const tenant = {
        id: TENANT,
        owner_id: OTHER_TENANT,
        name: 'one',
        settings: { fingerprint_tokens: 'true' as const, deduplicate_tokens: 'false' as const },
        fingerprint_key: '',
        webhook_secret: '',
        created_at: new Date(0).toISOString(),
      };
      const require = { require: 'tenants' as const, tenantId: TENANT };
      await store.commit([{ insert: 'tenants', record: tenant }]);
      await store.commit([require, { insert: 'tokens', record: token('a') }]);
      const clearing = store.commit([require, { clear: 'tenant', tenantId: TENANT }]);
      const late = store.commit([require, { insert: 'tokens', record: token('b') }]);
      const again = store.commit([require, { clear: 'tenant', tenantId: TENANT }]);
      await expect(late).rejects.toMatchObject({ reason: 'missing', collection: 'tenants' });
      await expect(again).rejects.toBeInstanceOf(ConflictError);
      await clearing;
      expect((await store.find('tokens', { tenantId: TENANT })).total).toBe(0);
    });
  });

  describe(`${name}: lists`, () => {
    it('orders by creation, newest first, then by id', async () => {
      const store = await use();
      await insert(store, token('b', 2), token('c', 1), token('a', 2), token('d', 3));
      expect(await ids(store)).toEqual({ ids: ['d', 'a', 'b', 'c'], total: 4 });
      expect(await ids(store, undefined, { offset: 1, limit: 2 })).toEqual({ ids: ['a', 'b'], total: 4 });
      expect(await ids(store, undefined, { offset: 9, limit: 2 })).toEqual({ ids: [], total: 4 });
      expect(await ids(store, undefined, { limit: 0 })).toEqual({ ids: [], total: 4 });
    });

    const CARDS = { term: 'type', prefix: 'ca' } as const;
    const CONDITIONS: [string, Condition<'tokens'>, string[]][] = [
      ['type', { term: 'type', is: 'card' }, ['d', 'c']],
      ['a container', { term: 'container', is: '/pci/high/' }, ['c']],
      ['a container above', { term: 'container', is: '/pci/' }, ['d', 'c']],
      ['the root container', { term: 'container', is: '/' }, ['d', 'c', 'b', 'a']],
      ['metadata without case', { term: 'metadata.Customer', is: 'aNNa' }, ['d', 'a']],
      ['metadata with the key in another case', { term: 'metadata.customer', is: 'anna' }, []],
      ['search index', { term: 'search', is: '4242' }, ['c']],
      ['search index with case', { term: 'search', is: 'Ab' }, []],
      ['fingerprint', { term: 'fingerprint', is: 'F' }, ['b']],
      ['creator', { term: 'created_by', is: 'app' }, ['a']],
      ['ids', { ids: ['c', 'a', 'nobody'] }, ['c', 'a']],
      [
        'range of creation',
        { range: 'created_at', gte: Date.UTC(2026, 10, 1, 0, 2), lt: Date.UTC(2026, 10, 1, 0, 4) },
        ['c', 'b'],
      ],
      ['range of expiry', { range: 'expires_at', lte: Date.UTC(2026, 11, 1) }, ['b']],
      ['prefix of a type', CARDS, ['d', 'c']],
      ['prefix of metadata', { term: 'metadata.Customer', prefix: 'AN' }, ['d', 'a']],
      ['prefix of an id', { term: 'id', prefix: 'a' }, ['a']],
      ['the same prefix twice', { all: [CARDS, CARDS] }, ['d', 'c']],
      ['any of two prefixes', { any: [CARDS, { term: 'metadata.Customer', prefix: 'a' }] }, ['d', 'c', 'a']],
      [
        'any of conditions that overlap',
        { any: [{ not: CARDS }, { not: { ids: ['a'] } }, CARDS] },
        ['d', 'c', 'b', 'a'],
      ],
      [
        'all but any of conditions that overlap',
        { not: { any: [{ ids: ['a', 'b', 'd'] }, { ids: ['a', 'd'] }] } },
        ['c'],
      ],
      [
        'all',
        {
          all: [
            { term: 'type', is: 'card' },
            { term: 'metadata.Customer', is: 'ANNA' },
          ],
        },
        ['d'],
      ],
      ['all of nothing', { all: [] }, ['d', 'c', 'b', 'a']],
      ['any', { any: [{ term: 'fingerprint', is: 'F' }, { ids: ['c'] }] }, ['c', 'b']],
      ['any of nothing', { any: [] }, []],
      ['not', { not: { term: 'type', is: 'card' } }, ['b', 'a']],
      ['all and not', { all: [{ term: 'type', is: 'card' }, { not: { ids: ['d'] } }] }, ['c']],
    ];

    it.each(CONDITIONS)('finds by %s', async (_, where, expected) => {
      const store = await use();
      await insert(
        store,
        token('a', 1, { created_by: 'app', metadata: { Customer: 'Anna' } }),
        token('b', 2, { fingerprint: 'F', expires_at: '2026-11-30T12:00:00+02:00' }),
        token('c', 3, { type: 'card', containers: ['/pci/high/'], search_values: ['4242', 'ab'] }),
        token('d', 4, { type: 'card', containers: ['/pci/low/'], metadata: { Customer: 'ANNA' } }),
      );
      expect(await ids(store, where)).toEqual({ ids: expected, total: expected.length });
    });

    it('finds a record by its current terms only', async () => {
      const store = await use();
      await insert(store, token('a', 1, { metadata: { k: 'old' } }));
      await ids(store, { term: 'metadata.k', prefix: 'o' });
      const record = { ...(await read(store, 'a')), metadata: { k: 'new' } };
      await store.commit([{ replace: 'tokens', record }]);
      expect((await ids(store, { term: 'metadata.k', is: 'old' })).ids).toEqual([]);
      expect((await ids(store, { term: 'metadata.k', is: 'new' })).ids).toEqual(['a']);
      expect((await ids(store, { term: 'metadata.k', prefix: 'o' })).ids).toEqual([]);
      expect((await ids(store, { term: 'metadata.k', prefix: 'n' })).ids).toEqual(['a']);
    });

    it('searches all tenants if none is named', async () => {
      const store = await use();
      await insert(store, token('a', 1), token('b', 3), token('c', 2, { tenant_id: OTHER_TENANT }));
      const { records, total } = await store.find('tokens', { offset: 1, limit: 1 });
      expect([records.map(({ id }) => id), total]).toEqual([['c'], 3]);
    });
  });

  describe(`${name}: recorded entries`, () => {
    const entry = (id: string) =>
      logEntry(Date.UTC(2026, 10, 1, 0, Number(id)), { id, entity_id: `token of ${id}`, message: 'read' });

    it('still commit after an empty list was recorded', async () => {
      const store = await use();
      store.record([]);
      // Longer than entries are gathered.
      await new Promise((resolve) => setTimeout(resolve, 100));
      await insert(store, token('a'));
      expect(await store.get('tokens', TENANT, 'a')).toBeDefined();
    });

    it('are visible at once', async () => {
      const store = await use();
      store.record([entry('1'), entry('2')]);
      const all = await store.find('log', { tenantId: TENANT });
      expect(all.records.map(({ id }) => id)).toEqual(['2', '1']);
      const one = await store.find('log', {
        tenantId: TENANT,
        where: { term: 'entity_id', is: 'token of 1' },
      });
      expect(one.total).toBe(1);
    });

    it('are visible while others write without a pause', async () => {
      const store = await use();
      let [written, isOver] = [0, false];
      const write = async () => {
        while (!isOver) await insert(store, token(`t${written++}`));
      };
      const writers = [write(), write(), write()];
      for (const id of ['1', '2', '3', '4', '5']) {
        store.record([entry(id)]);
        await insert(store, token(`with ${id}`), token(`and ${id}`));
        store.record([entry(`0${id}`)]);
        for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
        expect((await store.find('log', { tenantId: TENANT })).total).toBe(2 * Number(id));
      }
      isOver = true;
      await Promise.all(writers);
    });

    it('of yesterday are still listed after an import of more than 10,000 rows', async () => {
      const store = await use();
      const yesterday = { ...entry('0').record, id: 'yesterday', entity_id: 'read yesterday' };
      store.record([{ insert: 'log', record: yesterday }]);
      store.record(Array.from({ length: 12_000 }, (_, i) => entry(String(i + 1_440))));
      const { total, completeFrom } = await store.find('log', { tenantId: TENANT, limit: 1 });
      expect([total, completeFrom]).toEqual([12_001, undefined]);
      const first = await store.find('log', { tenantId: TENANT, offset: 12_000, limit: 5 });
      expect(first.records.map(({ id }) => id)).toEqual(['yesterday']);
      const where = { term: 'entity_id', is: 'read yesterday' } as const;
      expect((await store.find('log', { tenantId: TENANT, where })).records).toEqual(first.records);
    });

    it('are removed by a clear that follows', async () => {
      const store = await use();
      const activity = { id: '2026-11:a', tenant_id: TENANT, month: '2026-11' };
      for (const clear of [{ clear: 'everything' }, { clear: 'tenant', tenantId: TENANT }] as const) {
        store.record([entry('1'), { insert: 'activity', record: { ...activity } }]);
        const other = { ...entry('2').record, tenant_id: OTHER_TENANT };
        store.record([{ insert: 'log', record: other }]);
        await store.commit([clear, entry('3')]);
        const { records } = await store.find('log', {});
        expect(records.map(({ id }) => id)).toEqual(clear.clear === 'everything' ? ['3'] : ['3', '2']);
        expect((await store.find('activity', {})).total).toBe(0);
      }
    });

    it('may be committed again with other changes', async () => {
      const store = await use();
      const removal = async () => {
        await insert(store, token('same'));
        const [read] = (await store.find('tokens', { tenantId: TENANT })).records;
        if (read === undefined) throw new Error('not stored');
        await store.commit(removalOf([read], Date.UTC(2026, 10, 20)));
      };
      await removal();
      await removal();
      expect(await monthlyActiveTokens(store, TENANT, new Date(Date.UTC(2026, 10, 20)))).toBe(1);
      expect((await store.find('tokens', {})).total).toBe(0);
    });

    it('count once if they are equal', async () => {
      const store = await use();
      const activity = {
        insert: 'activity' as const,
        record: { id: '2026-11:a', tenant_id: TENANT, month: '2026-11' },
      };
      store.record([activity, activity]);
      expect((await store.find('activity', { tenantId: TENANT })).total).toBe(1);
      store.record([activity]);
      expect((await store.find('activity', { tenantId: TENANT })).total).toBe(1);
    });
  });
}
