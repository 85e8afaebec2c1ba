import { expect, test } from 'vitest';
import { createCommitPipeline } from '../../../emulator/services/commit-pipeline.js';
import { StoreCounters } from '../../../emulator/services/counters.js';
import { IdempotencyMarker } from '../../../emulator/services/idempotency/marker.js';
import { StorageFullError, StoreUnavailableError } from '../../../emulator/store/errors.js';
import { createMemoryStore } from '../../../emulator/store/memory-store.js';
import type { DeliveryRecord, IdempotencyRecord } from '../../../emulator/store/records.js';
import type { Insert } from '../../../emulator/store/store.js';

const created_at = '2031-01-01T00:00:00.000Z';
const tenant = (name = 't'): Insert => ({
  insert: 'tenants',
  record: {
    id: 't',
    owner_id: 'o',
    name,
    settings: { fingerprint_tokens: 'true', deduplicate_tokens: 'false' },
    fingerprint_key: 'f',
    webhook_secret: 'w',
    created_at,
  },
});
const delivery = { id: 'd', tenant_id: 't', body: '{}', created_at } as unknown as DeliveryRecord;
const mark = { id: 'key', tenant_id: 't', created_at, expires_at: created_at } as IdempotencyRecord;

function createPipeline() {
  const store = createMemoryStore();
  const commits = new StoreCounters();
  const [watched, published]: [string[], DeliveryRecord[]] = [[], []];
  const pipeline = createCommitPipeline({
    store,
    cardRules: { allowed: [] },
    webhookEvents: () => ({
      async commit(changes, write) {
        await write([...changes, { insert: 'deliveries', record: { ...delivery } }]);
        published.push(delivery);
      },
    }),
    commits,
    watches: [{ addRecord: (collection) => void watched.push(collection) }],
  });
  return { ...pipeline, raw: store, commits, watched, published };
}

test('a commit is written with its deliveries, then counted and watched, then delivered', async () => {
  const { store, commits, watched, published } = createPipeline();
  await store.commit([tenant()]);
  expect(await store.get('deliveries', 't', 'd')).toMatchObject(delivery);
  expect(commits.commits.stored).toBe(1);
  expect(watched).toEqual(['tenants', 'deliveries']);
  expect(published).toHaveLength(1);
});

test('a commit that fails stores neither changes nor deliveries, and nobody sees it', async () => {
  const { store, raw, watched, published } = createPipeline();
  await raw.commit([tenant()]);
  await expect(store.commit([tenant()])).rejects.toThrow('conflict');
  expect(await store.get('deliveries', 't', 'd')).toBeUndefined();
  expect([watched, published]).toEqual([[], []]);
});

test('a real card number is refused before anything else happens', async () => {
  const { store, commits, watched } = createPipeline();
  await expect(store.commit([tenant('4539148803436467')])).rejects.toThrow();
  expect(await store.get('tenants', 't', 't')).toBeUndefined();
  expect([commits.commits.failed, watched]).toEqual([0, []]);
});

test('the first commit of a request stores its idempotency key; a failed one does not', async () => {
  const { storeOf, raw } = createPipeline();
  const ofRequest = storeOf(new IdempotencyMarker(raw, mark));
  await expect(ofRequest.commit([tenant('4539148803436467')])).rejects.toThrow();
  expect(await raw.get('idempotency', 't', 'key')).toBeUndefined();
  await ofRequest.commit([tenant()]);
  expect(await raw.get('idempotency', 't', 'key')).toMatchObject({ id: 'key' });
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
