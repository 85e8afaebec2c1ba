import { describe, expect, it } from 'vitest';
import { width } from '../../support/width.js';
import { contentOf, diskAfterWorkload, FAULTS, faultsFrom, open, runWithFaults } from './boundaries.js';
import { type ReadFault, SimulatedDisk } from './simulated-disk.js';
import { entry, TENANTS, token } from './workload.js';

/** The distance between the disk operations that fail. */
const STRIDE = width(9, 1);
const SEEDS = width([1], [1, 2, 3]);
const [TENANT] = TENANTS;

/** Returns a disk with a token and a log entry that a killed process had written but not synced. */
async function diskOfKilled(): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const killed = await open(disk, 'os');
  await killed.commit([{ insert: 'tokens', record: token(TENANT, 'before', 'x') }]);
  killed.record([{ insert: 'log', record: entry(TENANT, 'read') }]);
  await killed.find('log', { tenantId: TENANT });
  return disk;
}

describe('a store whose disk fails at any operation', () => {
  it.each(SEEDS.flatMap((seed) => FAULTS.map((faults) => ({ seed, faults }))))(
    'loses no acknowledged change and restores no deleted data: %j',
    async ({ seed, faults }) => {
      const { operations, wrong } = await runWithFaults(seed, {});
      expect(wrong).toEqual([]);
      const points = Array.from({ length: Math.floor(operations / STRIDE) }, (_, i) => 1 + i * STRIDE);
      const results = await Promise.all(points.map((at) => runWithFaults(seed, faultsFrom(at, faults))));
      const failed = results.flatMap(({ wrong }, i) =>
        wrong.map((what) => `operation ${points[i]}: ${what}`),
      );
      expect(failed).toEqual([]);
      expect(points.length).toBeGreaterThan(5);
    },
  );

  it('refuses to start or serves everything when the reading of a file fails, or has a flipped bit', async () => {
    const { disk, content } = await diskAfterWorkload(1);
    const start = async (at: number, fault: ReadFault = 'EIO') => {
      const next = disk.afterCrash('lost');
      next.readFaults.set(at, fault);
      const store = await open(next).catch(() => undefined);
      const served = store && (await contentOf(store));
      await store?.close();
      return { served, reads: next.reads };
    };
    const { served, reads } = await start(0);
    expect([served, reads > 1]).toEqual([content, true]);
    const flips = [0, 1, ...Array.from({ length: width(3, 100) }, (_, i) => 50 + i * width(1_300, 39))];
    const faults: ReadFault[] = ['EIO', ...flips.map((flip) => ({ flip }))];
    for (let at = 1; at <= reads; at += 1)
      for (const fault of faults) {
        const after = await start(at, fault);
        expect([content, undefined], `reading ${at}, ${JSON.stringify(fault)}`).toContain(after.served);
      }
  });

  it('syncs what a killed process had only written before it acknowledges the next commit', async () => {
    const disk = await diskOfKilled();
    const next = await open(disk);
    await next.commit([{ insert: 'tokens', record: token(TENANT, 'after', 'x') }]);
    const store = await open(disk.afterCrash('lost'));
    expect((await store.find('tokens', {})).records.map(({ id }) => id)).toEqual(['after', 'before']);
  });

  it('syncs what a start found unsynced after a kill before it uses it', async () => {
    const disk = await diskOfKilled();
    await open(disk);
    const store = await open(disk.afterCrash('lost'));
    expect((await store.find('log', { tenantId: TENANT })).total).toBe(1);
  });
});
