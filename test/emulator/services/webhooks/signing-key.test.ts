import { expect, test, vi } from 'vitest';
import { signingKeyOf } from '../../../../emulator/services/webhooks/signing-key.js';
import { createMemoryStore } from '../../../../emulator/store/memory-store.js';
import type { TenantRecord } from '../../../../emulator/store/records.js';

test('events at the same time make one signing key of their tenant', async () => {
  const store = createMemoryStore();
  const tenant = { id: 'tenant', created_at: '2030-01-01T00:00:00Z' } as TenantRecord;
  await store.commit([{ insert: 'tenants', record: tenant }]);
  const commit = vi.spyOn(store, 'commit');
  const keys = await Promise.all(Array.from({ length: 5 }, () => signingKeyOf('tenant', store)));
  expect(new Set(keys).size).toBe(1);
  expect(commit).toHaveBeenCalledTimes(1);
});
