import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import type { Stored, TokenRecord } from '../../../emulator/store/records.js';
import type { Change, Store } from '../../../emulator/store/store.js';
import { scheduled } from '../../support/scheduled.js';
import { width } from '../../support/width.js';
import { open } from './boundaries.js';
import { SimulatedDisk } from './simulated-disk.js';
import { seeded, TENANTS, token } from './workload.js';

const [TENANT] = TENANTS;
const OPERATIONS = 'open write readFile truncate sync rename remove list syncDirectory'.split(' ');

afterEach(() => void vi.useRealTimers());

/** What a token may be: as acknowledged, or as it becomes by what is in flight. */
type Possible = Map<string, (string | undefined)[]>;

async function tokensIn(store: Store): Promise<Map<string, unknown>> {
  const { records } = await store.find('tokens', {});
  return new Map(records.map(({ id, data }) => [id, data]));
}

/** Reads the tokens of a disk, as the next start finds them. */
async function tokensOn(disk: SimulatedDisk): Promise<Map<string, unknown>> {
  const store = await open(disk);
  const found = await tokensIn(store);
  await store.close();
  return found;
}

function changeOf(id: string, value: string | undefined, stored: Stored<TokenRecord> | undefined): Change {
  if (value === undefined) return { remove: 'tokens', tenantId: TENANT, id };
  if (stored) return { replace: 'tokens', record: { ...stored, data: value } };
  return { insert: 'tokens', record: token(TENANT, id, value) };
}

/** What befalls a token, one after the other: it gets another value, or is removed. */
const life = fc.array(fc.constantFrom('put', 'put', 'remove'), { minLength: 1, maxLength: 5 });

// Fault: commit, compaction, stop | disk operations in any order, then power cut | disk
it('whatever the order of operations of the disk, commits and compaction lose nothing at a power cut, and erase what was removed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(life, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 8 }),
      fc.nat(),
      async (scheduler, lives, cuts, seed) => {
        const disk = new SimulatedDisk({}, seeded(seed));
        const store = await scheduler.waitFor(open(scheduled(scheduler, disk, OPERATIONS)));
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
        const possible: Possible = new Map();
        const removed: string[] = [];
        const left: { disk: SimulatedDisk; possible: Possible }[] = [];

        const live = async (id: string, steps: string[]) => {
          let current: string | undefined;
          for (const [number, step] of steps.entries()) {
            const next = step === 'put' ? `${id} ${number} ${'x'.repeat(900)}` : undefined;
            if (next === current) continue;
            possible.set(id, [current, next]);
            const stored = (await store.find('tokens', { tenantId: TENANT })).records.find(
              (one) => one.id === id,
            );
            expect(stored?.data).toBe(current);
            await store.commit([changeOf(id, next, stored)]);
            possible.set(id, [next]);
            if (current !== undefined) removed.push(current);
            current = next;
          }
        };
        /** Lets compaction begin, and looks at what a power cut would leave. */
        const look = async () => {
          for (let cut = 0; cut < cuts; cut += 1) {
            await scheduler.schedule(Promise.resolve(), 'power cut');
            left.push({ disk: disk.afterCrash('torn'), possible: new Map(possible) });
            vi.advanceTimersByTime(100);
          }
        };
        const working = Promise.all([...lives.map((steps, at) => live(`t${at}`, steps)), look()]);
        await scheduler.waitFor(working);
        await scheduler.waitFor(store.close());
        vi.useRealTimers();
        left.push({ disk: disk.afterCrash('lost'), possible });
        for (const value of removed) expect(disk.text()).not.toContain(value);
        for (const one of left) {
          const found = await tokensOn(one.disk);
          for (const [id, values] of one.possible) expect(values).toContain(found.get(id));
        }
      },
    ),
    { numRuns: width(60, 2_000) },
  );
});

/** A disk of which one operation is done and never returns. */
const hanging = (disk: SimulatedDisk, at: number) => {
  const calls = { count: 0 };
  const names: readonly string[] = OPERATIONS;
  const wrapped = new Proxy(disk, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (names.includes(String(name))) calls.count += 1;
        const done = value.apply(target, args);
        if (!names.includes(String(name)) || calls.count !== at) return done;
        done.catch(() => {});
        return new Promise(() => {});
      };
    },
  });
  return { wrapped, calls };
};

/** Lets everything happen that can: until a disk is not asked for anything more. */
async function settle(calls: { count: number }): Promise<void> {
  for (let idle = 0; idle < 4; ) {
    const before = calls.count;
    vi.advanceTimersByTime(100);
    await sleep(1);
    idle = calls.count === before ? idle + 1 : 0;
  }
}

/** Changes a store, of which one operation of the disk never returns, and stops it. @returns the number of operations */
async function runWithHang(at: number): Promise<number> {
  const disk = new SimulatedDisk({}, seeded(at));
  const { wrapped, calls } = hanging(disk, at);
  let store: Store | undefined;
  void open(wrapped).then((opened) => {
    store = opened;
  });
  await settle(calls);
  const acknowledged: Possible = new Map();
  /** What is served: what was acknowledged, and nothing that is held up. */
  const check = async (which: SimulatedDisk | Store, isWhole: boolean) => {
    const found = which instanceof SimulatedDisk ? await tokensOn(which) : await tokensIn(which);
    for (const [id, values] of acknowledged)
      expect(values, `operation ${at}, ${id}`).toContain(found.get(id));
    if (isWhole) expect([...found.keys()].filter((id) => !acknowledged.has(id))).toEqual([]);
  };
  let isStopped = false;
  if (store) {
    const opened = store;
    for (let wave = 0; wave < 6; wave += 1) {
      for (const name of ['a', 'b', 'c']) {
        const id = `${name}${wave}`;
        const data = `${id} ${'x'.repeat(900)}`;
        void opened.commit([changeOf(id, data, undefined)]).then(() => acknowledged.set(id, [data]));
      }
      await settle(calls);
      await check(opened, true);
      const stored = await opened.get('tokens', TENANT, `a${wave - 1}`);
      if (!stored) continue;
      acknowledged.get(stored.id)?.push(undefined);
      void opened.commit([{ remove: 'tokens', tenantId: TENANT, id: stored.id }]);
    }
    await settle(calls);
    void opened.close().then(() => {
      isStopped = true;
    });
    await settle(calls);
  }
  expect(isStopped, `a stop at operation ${at}`).toBe(calls.count < at);
  for (const unsynced of ['kept', 'lost', 'torn'] as const) await check(disk.afterCrash(unsynced), false);
  return calls.count;
}

// Fault: commit, compaction, stop | disk operation never returns, then kill or power cut | disk
it('an operation of the disk that never returns holds up commits and the stop; what was acknowledged stays', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const operations = await runWithHang(Number.POSITIVE_INFINITY);
  for (let at = 1; at <= operations; at += width(3, 1)) await runWithHang(at);
});
