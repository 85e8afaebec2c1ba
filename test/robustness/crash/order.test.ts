import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import type { Stored, TokenRecord } from '../../../emulator/store/records.js';
import type { Change } from '../../../emulator/store/store.js';
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

/** Reads the tokens of a disk, as the next start finds them. */
async function tokensOn(disk: SimulatedDisk): Promise<Map<string, unknown>> {
  const store = await open(disk);
  const { records } = await store.find('tokens', {});
  await store.close();
  return new Map(records.map(({ id, data }) => [id, data]));
}

function changeOf(id: string, value: string | undefined, stored: Stored<TokenRecord> | undefined): Change {
  if (value === undefined) return { remove: 'tokens', tenantId: TENANT, id };
  if (stored) return { replace: 'tokens', record: { ...stored, data: value } };
  return { insert: 'tokens', record: token(TENANT, id, value) };
}

/** What befalls a token, one after the other: it gets another value, or is removed. */
const life = fc.array(fc.constantFrom('put', 'put', 'remove'), { minLength: 1, maxLength: 5 });

// Fault: commit, compaction, stop | operations of the disk end in any order, then a power cut | disk
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
