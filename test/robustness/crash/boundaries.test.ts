import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { width } from '../../support/width.js';
import {
  contentOf,
  diskAfterWorkload,
  EIO,
  FAULTS,
  faultsFrom,
  HOUSEKEEPING_MS,
  KILL,
  open,
  runWithFaults,
} from './boundaries.js';
import { type Fault, type ReadFault, SimulatedDisk } from './simulated-disk.js';
import { TENANTS, token } from './workload.js';

/** The distance between the disk operations that fail. */
const STRIDE = width(9, 1);
const SEEDS = width([2], [1, 2, 3]);
const [TENANT] = TENANTS;

describe.concurrent('a store whose disk fails at any operation', () => {
  // Fault: commit, compaction, start | power cut: any unsynced sectors lost | disk
  // Fault: commit, compaction, start | full disk, short write | disk
  // Fault: commit, compaction, start | write or sync fails, then kill | disk
  it.each(SEEDS.flatMap((seed) => FAULTS.map((faults) => ({ seed, faults }))))(
    'loses no acknowledged change and restores no deleted data: %j',
    async ({ seed, faults }) => {
      const { operations, wrong } = await runWithFaults(seed, {});
      expect(wrong).toEqual([]);
      const points = Array.from({ length: Math.floor(operations / STRIDE) }, (_, i) => 1 + i * STRIDE);
      const results = await Promise.all(points.map((at) => runWithFaults(seed, faultsFrom(at, faults))));
      const failed = results.flatMap(({ wrong }, i) => wrong.map((one) => `operation ${points[i]}: ${one}`));
      expect(failed).toEqual([]);
      expect(points.length).toBeGreaterThan(5);
    },
  );

  // Fault: start | unreadable file, flipped bit | disk
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
      await Promise.all(
        faults.map(async (fault) => {
          const after = await start(at, fault);
          expect([content, undefined], `reading ${at}, ${JSON.stringify(fault)}`).toContain(after.served);
        }),
      );
  });

  // Fault: compaction | unreadable file, flipped bit | disk
  it('loses no acknowledged change when the reading of a file fails, or has a flipped bit, while it runs', async () => {
    const { reads } = await runWithFaults(1, {});
    const faults: ReadFault[] = [
      'EIO',
      ...Array.from({ length: width(3, 12) }, (_, i) => ({ flip: 50 + 300 * i })),
    ];
    const runs = Array.from({ length: reads }, (_, i) => i + 1).flatMap((at) =>
      faults.map((fault) => ({ [at]: fault })),
    );
    const results = await Promise.all(runs.map((readFaults) => runWithFaults(1, {}, readFaults)));
    expect(
      results.flatMap(({ wrong }, i) => wrong.map((one) => `${JSON.stringify(runs[i])}: ${one}`)),
    ).toEqual([]);
    expect(reads).toBeGreaterThan(5);
  });

  it('erases deleted data again that a failed sync left on the disk before the process was killed', async () => {
    const deleteSecret = async (faults: Record<number, Fault>) => {
      const disk = new SimulatedDisk(faults);
      const store = await open(disk);
      // Enough to close a segment, which a start does not write again.
      for (const id of ['secret', ...Array.from({ length: 20 }, (_, i) => `other-${i}`)])
        await store.commit([{ insert: 'tokens', record: token(TENANT, id, `data of ${id}`) }]);
      await store.commit([{ remove: 'tokens', tenantId: TENANT, id: 'secret' }]);
      const removed = disk.operations;
      await sleep(HOUSEKEEPING_MS);
      return { disk, removed };
    };
    const { disk, removed } = await deleteSecret({});
    expect(disk.operations).toBeGreaterThan(removed);
    const check = async (at: number) => {
      const { disk: killed } = await deleteSecret(faultsFrom(at, [EIO, KILL]));
      const next = killed.afterCrash();
      await open(next);
      await sleep(HOUSEKEEPING_MS);
      expect(next.afterCrash('lost').text(), `operation ${at}`).not.toContain('data of secret');
    };
    await Promise.all(Array.from({ length: disk.operations - removed }, (_, i) => check(removed + 1 + i)));
  });
});
