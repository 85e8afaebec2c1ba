import { expect, it, onTestFinished } from 'vitest';
import { KeyUse } from '../../../emulator/access/application-keys.js';
import { CallerRegistry } from '../../../emulator/access/caller-registry.js';
import { createClock } from '../../../emulator/lib/clock.js';
import { createIds } from '../../../emulator/lib/ids.js';
import { createLogger } from '../../../emulator/lib/logger.js';
import { TenantClocks } from '../../../emulator/lib/tenant-clocks.js';
import { seedTenant } from '../../../emulator/services/tenants/seed-tenant.js';
import { createMemoryStore } from '../../../emulator/store/memory-store.js';
import type { Store } from '../../../emulator/store/store.js';
import { wrapStore } from '../../../emulator/store/wrapped-store.js';

/** A store whose answers to the first list arrive last, as those of another connection to a database may. */
function withSlowList(store: Store): { store: Store; answer: () => void } {
  let answer = () => {};
  const later = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let lists = 0;
  const slow = wrapStore(store, {
    async find(collection, query) {
      const found = await store.find(collection, query);
      lists += 1;
      if (lists <= 2) await later;
      return found;
    },
  });
  return { store: slow, answer };
}

it('callers that were read earlier never take the place of those that were read later', async () => {
  const memory = createMemoryStore();
  const clock = createClock(createLogger());
  onTestFinished(() => clock.stop());
  const { store, answer } = withSlowList(memory);
  const callers = new CallerRegistry({ store, clocks: new TenantClocks(clock) });
  const early = callers.load();
  const { changes, credentials } = seedTenant({ name: 'new' }, { ids: createIds(), clock });
  await memory.commit(changes);
  const late = callers.load();
  setTimeout(answer, 10);
  await Promise.all([early, late]);
  expect(callers.findByKey(credentials.keys.private)).toBeDefined();
});

it('the last use of a key is the latest that this process or another one of the store knows', async () => {
  const store = createMemoryStore();
  await store.commit([{ insert: 'tenants', record: { id: 't' } as never }]);
  const clock = { time: Date.UTC(2030, 0), now: () => clock.time };
  const [here, there] = [0, 1].map(() => new KeyUse({ store, clocks: { of: () => clock } as never }));
  for (const [process, hour] of [
    [here, 0],
    [there, 1],
    [here, 2],
  ] as const) {
    clock.time = Date.UTC(2030, 0, 1, hour, 30);
    process?.note({ tenant: { id: 't' }, keyId: 'k' });
    const used = `2030-01-01T0${hour}:00:00.000Z`;
    expect(await here?.lastUse('t', 'k')).toBe(used);
    expect(await new KeyUse({ store, clocks: {} as never }).lastUse('t', 'k')).toBe(used);
  }
  await store.close();
});
