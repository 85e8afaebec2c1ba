import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Change, Store } from '../../../../emulator/store/store.js';
import { type Cut, DatabaseProxy } from '../../../support/database-proxy.js';
import { hasPostgres, newDatabase, useOnPostgres } from '../../../support/postgres.js';
import { insert, OTHER_TENANT, TENANT, token } from '../contract.js';

const MISSING = { reason: 'missing', collection: 'tenants' };

function insertForTenant(store: Store, id: string): Promise<void> {
  return store.commit([
    { require: 'tenants', tenantId: TENANT },
    { insert: 'tokens', record: token(id) },
  ]);
}

async function commitAlone(store: Store): Promise<void> {
  const record = {
    id: TENANT,
    owner_id: OTHER_TENANT,
    name: 'one',
    settings: { fingerprint_tokens: 'true' as const, deduplicate_tokens: 'false' as const },
    fingerprint_key: '',
    webhook_secret: '',
    created_at: token('').created_at,
  };
  await store.commit([{ insert: 'tenants', record }]);
  for (const id of ['a', 'b', 'c']) await insertForTenant(store, id);
}

async function idsOf(store: Store): Promise<string[]> {
  return (await store.find('tokens', { tenantId: TENANT })).records.map(({ id }) => id);
}

describe.skipIf(!hasPostgres)('a store that has a PostgreSQL database to itself', () => {
  it('refuses to insert for a tenant that it has removed', async () => {
    const store = await useOnPostgres(await newDatabase());
    await commitAlone(store);
    await store.commit([{ remove: 'tenants', tenantId: TENANT, id: TENANT }]);
    await expect(insertForTenant(store, 'd')).rejects.toMatchObject(MISSING);
  });

  it.each<Cut>(['before the server has it', 'after the server answered it'])(
    'inserts once when the connection is cut, %s',
    async (when) => {
      const proxy = await DatabaseProxy.start(await newDatabase());
      const store = await useOnPostgres(proxy.url);
      await commitAlone(store);
      proxy.cutAt('the-marked-one', when);
      await insertForTenant(store, 'the-marked-one');
      await insertForTenant(store, 'z');
      expect(proxy.cuts).toBe(1);
      expect(await idsOf(store)).toEqual(['a', 'b', 'c', 'the-marked-one', 'z']);
    },
  );
});

describe.skipIf(!hasPostgres)('a store that had a PostgreSQL database to itself', () => {
  async function openTwo(): Promise<[one: Store, other: Store]> {
    const url = await newDatabase();
    const [one, other] = [await useOnPostgres(url), await useOnPostgres(url)];
    await commitAlone(one);
    return [one, other];
  }

  it('notices the id that another one has taken', async () => {
    const [one, other] = await openTwo();
    await insertForTenant(other, 'd');
    await expect(insertForTenant(one, 'd')).rejects.toMatchObject({ reason: 'id', collection: 'tokens' });
  });

  it.each<[string, Change]>([
    ['the tenant that another one has removed', { remove: 'tenants', tenantId: TENANT, id: TENANT }],
    ['that another one has cleared everything', { clear: 'everything' }],
  ])('notices %s', async (_, change) => {
    const [one, other] = await openTwo();
    await other.commit([change]);
    await expect(insertForTenant(one, 'd')).rejects.toMatchObject(MISSING);
  });

  it('gives every commit a revision of its own, whoever commits', async () => {
    const stores = await openTwo();
    for (const [i, store] of [...stores].reverse().entries()) await insertForTenant(store, `in turn ${i}`);
    const ids = Array.from({ length: 40 }, (_, i) => `t${i}`);
    await Promise.all(ids.map((id, i) => insertForTenant(stores[i % 2] as Store, id)));
    const { records, total } = await stores[1].find('tokens', { tenantId: TENANT });
    expect(total).toBe(45);
    expect(new Set(records.map(({ revision }) => revision)).size).toBe(45);
  });
});

describe.skipIf(!hasPostgres)('commits of one tenant', () => {
  /** Holds the commits of a tenant from now on, as one that hangs does. Returns what lets them go on. */
  async function hold(url: string, tenantId: string): Promise<() => Promise<unknown>> {
    const other = new Client({ connectionString: url });
    onTestFinished(() => other.end());
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM tokenctl.tenant_locks WHERE tenant_id = $1 FOR UPDATE', [tenantId]);
    return () => other.query('ROLLBACK');
  }

  it('that hang delay no other, in the same process or another one', async () => {
    const url = await newDatabase();
    const stores = [await useOnPostgres(url), await useOnPostgres(url)];
    for (const [i, store] of stores.entries())
      await insert(store, token(`before-${i}`), token(`before-${i}`, 0, { tenant_id: OTHER_TENANT }));
    const goOn = await hold(url, TENANT);
    const hanging = stores.map((store, i) => insert(store, token(`held-${i}`)));
    for (const [i, store] of stores.entries()) {
      await insert(store, token(`other-${i}`, 0, { tenant_id: OTHER_TENANT }));
      await store.commit([
        {
          insert: 'webhooks',
          record: {
            id: `w${i}`,
            tenant_id: OTHER_TENANT,
            name: 'w',
            url: '',
            events: [],
            created_at: token('').created_at,
          },
        },
      ]);
      await store.shared?.updateState(`state-${i}`, () => 1);
    }
    expect(await idsOf(stores[0] as Store)).toEqual(['before-0', 'before-1']);
    await goOn();
    await Promise.all(hanging);
    expect(await idsOf(stores[0] as Store)).toEqual(['before-0', 'before-1', 'held-0', 'held-1']);
  });

  it('that hang keep everything from being cleared, and what follows waits', async () => {
    const url = await newDatabase();
    const store = await useOnPostgres(url);
    await insert(store, token('a'), token('b', 0, { tenant_id: OTHER_TENANT }));
    const goOn = await hold(url, TENANT);
    const done: string[] = [];
    const clearing = store.commit([{ clear: 'everything' }]).then(() => done.push('cleared'));
    const inserting = insert(store, token('c', 0, { tenant_id: OTHER_TENANT })).then(() =>
      done.push('inserted'),
    );
    expect((await store.find('tokens', {})).total).toBe(2);
    await goOn();
    await Promise.all([clearing, inserting]);
    expect(done).toEqual(['cleared', 'inserted']);
    expect((await store.find('tokens', {})).records.map(({ id }) => id)).toEqual(['c']);
  });

  it('of documents are seen by all, whichever of them is committed first', async () => {
    const url = await newDatabase();
    const [one, other] = [await useOnPostgres(url), await useOnPostgres(url)];
    const revisions = [await one.shared?.revision()];
    for (let round = 0; round < 5; round += 1) {
      const changes = Array.from({ length: 8 }, (_, i) =>
        (i % 2 ? one : other).shared?.updateState(`state-${i}`, () => round),
      );
      await Promise.all(changes);
      revisions.push(await one.shared?.revision());
    }
    expect(revisions).toEqual([0, 8, 16, 24, 32, 40]);
  });
});
