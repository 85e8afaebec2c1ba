import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../../../emulator/store/store.js';
import { type Cut, DatabaseProxy } from '../../../support/database-proxy.js';
import { hasPostgres, sharedPostgres } from '../../../support/postgres.js';
import { openOnPostgres } from '../../../support/postgres-store.js';
import { OTHER_TENANT, TENANT, token } from '../contract.js';

async function open(url: string): Promise<Store> {
  const store = await openOnPostgres(url);
  onTestFinished(() => store.close());
  return store;
}

async function newDatabase(): Promise<string> {
  return (await sharedPostgres()).createDatabase();
}

function insertForTenant(store: Store, id: string): Promise<void> {
  return store.commit([
    { require: 'tenants', tenantId: TENANT },
    { insert: 'tokens', record: token(id) },
  ]);
}

/** Inserts until the store knows that no other one commits: its next insert looks nothing up. */
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
  it('does not look anything up before it inserts', async () => {
    const proxy = await DatabaseProxy.start(await newDatabase());
    const store = await open(proxy.url);
    await commitAlone(store);
    proxy.cutAt('BEGIN', 'before the server has it');
    await insertForTenant(store, 'd');
    expect(proxy.cuts).toBe(0);
  });

  it('refuses an id that it has inserted before', async () => {
    const store = await open(await newDatabase());
    await commitAlone(store);
    const [taken, free] = await Promise.allSettled([
      insertForTenant(store, 'a'),
      insertForTenant(store, 'd'),
    ]);
    expect([taken, free]).toMatchObject([
      { status: 'rejected', reason: { reason: 'id', collection: 'tokens' } },
      { status: 'fulfilled' },
    ]);
    expect(await idsOf(store)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuses to insert for a tenant that it has removed', async () => {
    const store = await open(await newDatabase());
    await commitAlone(store);
    await store.commit([{ remove: 'tenants', tenantId: TENANT, id: TENANT }]);
    await expect(insertForTenant(store, 'd')).rejects.toMatchObject({
      reason: 'missing',
      collection: 'tenants',
    });
  });

  it.each<Cut>(['before the server has it', 'after the server answered it'])(
    'inserts once when the connection is cut, %s',
    async (when) => {
      const proxy = await DatabaseProxy.start(await newDatabase());
      const store = await open(proxy.url);
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
    const [one, other] = [await open(url), await open(url)];
    await commitAlone(one);
    return [one, other];
  }

  it('notices the id that another one has taken', async () => {
    const [one, other] = await openTwo();
    await insertForTenant(other, 'd');
    await expect(insertForTenant(one, 'd')).rejects.toMatchObject({ reason: 'id', collection: 'tokens' });
  });

  it('notices the tenant that another one has removed', async () => {
    const [one, other] = await openTwo();
    await other.commit([{ remove: 'tenants', tenantId: TENANT, id: TENANT }]);
    await expect(insertForTenant(one, 'd')).rejects.toMatchObject({
      reason: 'missing',
      collection: 'tenants',
    });
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
