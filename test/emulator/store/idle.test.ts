import { expect, it } from 'vitest';
import { createMemoryStore } from '../../../emulator/store/memory-store.js';
import type { LogRecord } from '../../../emulator/store/records.js';

const log = (id: string): LogRecord => ({
  id,
  tenant_id: 't',
  actor_type: 'system',
  entity_type: 'token',
  operation: 'list',
  created_at: '2030-01-01T00:00:00.000Z',
});

it('a store whose timer fires with nothing to write still takes commits', async () => {
  const store = createMemoryStore();
  store.record([{ insert: 'log', record: log('a') }]);
  // The look-up writes the entry down; its timer fires later and finds nothing.
  await store.find('log', { tenantId: 't' });
  store.record([]);
  await new Promise((resolve) => setTimeout(resolve, 120));
  await store.commit([{ insert: 'log', record: log('b') }]);
  expect((await store.find('log', { tenantId: 't' })).total).toBe(2);
  await store.close();
});
