import { expect, test } from 'vitest';
import { AsyncResults } from '../../../../emulator/services/idempotency/async-results.js';
import { MARK } from '../../../../emulator/services/idempotency/record.js';
import {
  ResponseCache,
  StoredResponses,
} from '../../../../emulator/services/idempotency/stored-responses.js';
import { createMemoryStore } from '../../../../emulator/store/memory-store.js';
import { LIMITS } from '../../../../src/contract/limits.js';

const START = Date.UTC(2030, 0);

function response(id: string, tenant_id: string, ...token_ids: string[]) {
  return {
    id,
    tenant_id,
    token_ids,
    status: 200,
    body: { id },
    created_at: new Date(START).toISOString(),
    expires_at: new Date(START + LIMITS.idempotencyLifetimeMs).toISOString(),
  };
}

test('ResponseCache drops a response when it expires by the clock of the emulator', () => {
  const clock = { time: START, now: () => clock.time };
  const cache = new ResponseCache(clock);
  cache.set(response('a', 't'));
  clock.time += LIMITS.idempotencyLifetimeMs;
  expect(cache.get('t', 'a')).toBeDefined();
  clock.time += 1;
  expect(cache.get('t', 'a')).toBeUndefined();
});

test('ResponseCache discards by token within a tenant, by tenant, and everything', () => {
  const cache = new ResponseCache({ now: () => START });
  const left = () =>
    ['a', 'b', 'c', 'd'].filter((id) => ['t', 'u', 'v'].some((tenant) => cache.get(tenant, id)));
  cache.set(response('a', 't', 'x', 'y'));
  cache.set(response('b', 't', 'z'));
  cache.set(response('c', 'u', 'x'));
  cache.set(response('d', 'v', 'x'));
  cache.discardForTokens('t', ['x', 'q']);
  expect(left()).toEqual(['b', 'c', 'd']);
  cache.discardForTenant('u');
  expect(left()).toEqual(['b', 'd']);
  cache.clear();
  expect(left()).toEqual([]);
});

test('a tiny response costs its overhead, so that their number is bounded', () => {
  const cache = new ResponseCache({ now: () => START });
  cache.set(response('first', 'tenant'));
  // 64 MiB at 1 KiB each.
  for (let i = 0; i < 65_536; i++) cache.set(response(`tiny-${i}`, 'tenant'));
  expect(cache.get('tenant', 'first')).toBeUndefined();
  // Many token ids count, too.
  const ids = Array.from({ length: 100_000 }, (_, index) => `token-${index}`);
  for (let i = 0; i < 6; i++) cache.set(response(`wide-${i}`, 'tenant', ...ids));
  expect(cache.get('tenant', 'tiny-65535')).toBeUndefined();
});

test('stored responses: what was restored counts from then on, and what is gone or in flight again is not pushed out', async () => {
  const store = createMemoryStore();
  await store.commit([{ insert: 'tenants', record: { id: 't' } as never }]);
  const responses = new StoredResponses(store);
  const MANY = Array<string>(Math.floor(LIMITS.storedResponseBytes / 400)).fill('token');
  /** Three of them are what a tenant may store. */
  const large = (id: string, age = 0) => ({
    ...{ ...response(id, 't'), token_ids: MANY },
    created_at: new Date(START - age).toISOString(),
  });
  const ids = async () => (await store.find('idempotency', {})).records.map(({ id }) => id).sort();
  for (const id of ['a', 'b', 'c']) await responses.save(large(id));
  const remove = (id: string) => ({ remove: 'idempotency' as const, tenantId: 't', id });
  await store.commit([
    remove('a'),
    remove('b'),
    { insert: 'idempotency', record: { ...large('b'), ...MARK } },
  ]);
  for (const id of ['d', 'e']) await responses.save(large(id));
  expect(await ids()).toEqual(['b', 'c', 'd', 'e']);
  await store.commit([remove('c'), { insert: 'idempotency', record: large('restored', 1) }]);
  responses.forget();
  await responses.save(large('f'));
  expect(await ids()).toEqual(['b', 'd', 'e', 'f']);
  await store.close();
});

test('a stop waits for the results of invocations that run', async () => {
  let resolve = (_: { status: number; body: unknown }) => {};
  const promise = new Promise<{ status: number; body: unknown }>((done) => {
    resolve = done;
  });
  const idempotency = { run: (_: unknown, work: (ids: Set<string>) => Promise<never>) => work(new Set()) };
  const services = { ids: { uuid: () => 'id' }, idempotency, logger: {} };
  const results = new AsyncResults(services as never);
  const start = results.start({ tenantId: 't', applicationId: 'a', reactorId: 'r' }, (_, accept) => {
    accept();
    return promise;
  });
  expect(await start).toBe('id');
  const drained = results.drain().then(() => 'drained');
  const later = () => new Promise((done) => setImmediate(done, 'runs'));
  expect(await Promise.race([drained, later()])).toBe('runs');
  resolve({ status: 200, body: null });
  expect(await drained).toBe('drained');
});
