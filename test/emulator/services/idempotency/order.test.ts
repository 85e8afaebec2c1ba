import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TenantClocks } from '../../../../emulator/lib/tenant-clocks.js';
import { Idempotency } from '../../../../emulator/services/idempotency/idempotency.js';
import { createMemoryStore } from '../../../../emulator/store/memory-store.js';
import type { TokenRecord } from '../../../../emulator/store/records.js';
import { scheduled } from '../../../support/scheduled.js';
import { width } from '../../../support/width.js';

const tenantId = 'tenant';
const TOKEN: TokenRecord = {
  ...{ id: 'token', tenant_id: tenantId, type: 'token', data: 'secret', containers: ['/general/high/'] },
  created_at: '2030-01-01T00:00:00.000Z',
};
const REQUEST = { tenantId, applicationId: 'a', method: 'POST', path: '/detokenize', key: 'k' };
const now = () => Date.parse(TOKEN.created_at);
const clock = { now, every: () => {} };
const clocks = {
  global: clock,
  each: () => {},
  of: () => clock,
  has: () => false,
} as unknown as TenantClocks;

// Fault: idempotency | requests and deletion in any order | memory
test('in whatever order requests with one key and a deletion run: one is carried out at a time, and no answer outlives its token', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, holdsSecrets) => {
      const kept = createMemoryStore();
      await kept.commit([{ insert: 'tenants', record: { id: tenantId } as never }]);
      await kept.commit([{ insert: 'tokens', record: TOKEN }]);
      const store = scheduled(scheduler, kept, ['get', 'find', 'commit']);
      const idempotency = new Idempotency({ store, clocks });
      const request = { ...REQUEST, holdsSecrets };
      let [running, most] = [0, 0];
      const send = async () => {
        await scheduler.schedule(Promise.resolve(), 'request');
        const attempt = async (tokenIds: Set<string>) => {
          running += 1;
          most = Math.max(most, running);
          const token = await store.get('tokens', tenantId, TOKEN.id);
          if (token) tokenIds.add(token.id);
          running -= 1;
          return { status: token ? 200 : 404, body: token?.data ?? null };
        };
        await idempotency.run(request, attempt).catch(({ status }) => expect(status).toBe(409));
      };
      const deletion = async () => {
        await scheduler.schedule(Promise.resolve(), 'deletion');
        const responses = await idempotency.discardForTokens(tenantId, [TOKEN.id]);
        await store.commit([{ remove: 'tokens', tenantId, id: TOKEN.id }, ...responses]);
      };
      await scheduler.waitFor(Promise.all([send(), send(), send(), deletion()]));
      expect(most).toBe(1);
      const replayed = await scheduler.waitFor(idempotency.find(request));
      expect(replayed?.body ?? null).toBeNull();
      await kept.close();
    }),
    { numRuns: width(300, 10_000) },
  );
});

test('an answer that was in flight at a reset is not kept, whatever it holds', async () => {
  const store = createMemoryStore();
  await store.commit([{ insert: 'tenants', record: { id: tenantId } as never }]);
  const idempotency = new Idempotency({ store, clocks });
  for (const holdsSecrets of [false, true])
    for (const isReset of [false, true]) {
      const request = { ...REQUEST, holdsSecrets, key: `${holdsSecrets} ${isReset}` };
      await idempotency.run(request, async () => {
        if (isReset) idempotency.clear();
        return { status: 200, body: 'answer' };
      });
      expect((await idempotency.find(request))?.body).toBe(isReset ? undefined : 'answer');
    }
  // Only what holds no secrets reaches the disk.
  expect((await store.find('idempotency', {})).total).toBe(1);
  await store.close();
});
