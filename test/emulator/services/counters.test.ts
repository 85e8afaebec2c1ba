import { expect, test } from 'vitest';
import { StoreCounters } from '../../../emulator/services/counters.js';
import { StorageFullError, StoreUnavailableError } from '../../../emulator/store/errors.js';
import { createMemoryStore } from '../../../emulator/store/memory-store.js';
import type { Insert } from '../../../emulator/store/store.js';

const tenant = (): Insert => ({
  insert: 'tenants',
  record: {
    id: 't',
    owner_id: 'o',
    name: 't',
    settings: { fingerprint_tokens: 'true', deduplicate_tokens: 'false' },
    fingerprint_key: 'f',
    webhook_secret: 'w',
    created_at: '2031-01-01T00:00:00.000Z',
  },
});

test('commits are counted by outcome, and errors go on to the caller', async () => {
  const store = createMemoryStore();
  const counters = new StoreCounters();
  const commit = (...changes: Insert[]) => counters.count(() => store.commit(changes));
  await commit(tenant());
  await expect(commit(tenant())).rejects.toThrow('conflict');
  const errors = [new StorageFullError(), new StoreUnavailableError(), new Error('other')];
  store.commit = () => Promise.reject(errors.shift());
  for (let i = 0; i < 3; i++) await expect(commit()).rejects.toThrow();
  expect(counters.commits).toEqual({ stored: 1, conflict: 1, full: 1, unavailable: 1, failed: 1 });
  expect(counters.latency.counts.reduce((sum, count) => sum + count, 0)).toBe(1);
});
