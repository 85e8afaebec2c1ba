import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Call, Context } from '../../../emulator/operations/context.js';
import { keyHandlers } from '../../../emulator/operations/keys.js';
import { createMemoryStore } from '../../../emulator/store/memory-store.js';
import type { TenantRecord } from '../../../emulator/store/records.js';

const NOW = Date.parse('2030-01-01T12:00:00Z');
const timestamp = (ms: number) => new Date(NOW + ms).toISOString();

/** A tenant with keys, which are made here without a pair, since that takes long. */
async function tenantWith(lifetimes: readonly number[]) {
  const tenantId = randomUUID();
  const store = createMemoryStore();
  const tenant = { id: tenantId, fingerprint_key: 'secret', created_at: timestamp(0) } as TenantRecord;
  await store.commit([{ insert: 'tenants', record: tenant }]);
  const common = { tenant_id: tenantId, created_by: tenantId, created_at: timestamp(-1), private_key: '' };
  for (const [index, lifetime] of lifetimes.entries()) {
    const record = { ...common, id: `key ${index}`, expires_at: timestamp(lifetime) };
    await store.commit([{ insert: 'keys', record }]);
  }
  const clock = { now: () => NOW, timestamp: () => timestamp(0) };
  const context = { store, clock, ids: { uuid: randomUUID } } as unknown as Context;
  const call = {
    tenant,
    application: tenant,
    actor: { id: tenantId, type: 'application' },
  } as unknown as Call;
  const request = { path: {}, query: {}, body: {}, resource: undefined } as never;
  return {
    create: () => keyHandlers['keys.create'](request, call, context),
    count: async () => (await store.find('keys', { tenantId })).total,
  };
}

test('the keys of a tenant are at most 100, however many are asked for at once', async () => {
  const { create, count } = await tenantWith(Array(98).fill(1));
  const created = await Promise.allSettled([create(), create(), create(), create()]);
  expect(created.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  expect(await count()).toBe(100);
});

test('the keys of a tenant that have expired make room for others', async () => {
  const { create, count } = await tenantWith([...Array(98).fill(1), 0, -1]);
  await create();
  await create();
  await expect(create()).rejects.toMatchObject({ status: 400 });
  expect(await count()).toBe(100);
});
