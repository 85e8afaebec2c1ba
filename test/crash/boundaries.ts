import { setTimeout as sleep } from 'node:timers/promises';
import { openDiskStore } from '../../emulator/store/disk-store.js';
import type { Store } from '../../emulator/store/store.js';
import { type Fault, SimulatedDisk } from './simulated-disk.js';
import { differences, seeded, Workload } from './workload.js';

const STEPS = 24;
/** Long enough for housekeeping to have its turns. */
const HOUSEKEEPING_MS = 350;

function open(disk: SimulatedDisk): Promise<Store> {
  return openDiskStore({
    files: disk,
    dataDir: '/data',
    durability: 'sync',
    logger: { warn: () => {} },
    onClose: async () => {},
  });
}

export interface RunResult {
  operations: number;
  wrong: string[];
}

/** Runs the workload on a disk with faults, and says what is wrong after the next start. */
export async function runWithFaults(seed: number, faults: Record<number, Fault>): Promise<RunResult> {
  const random = seeded(seed);
  const disk = new SimulatedDisk(faults, seeded(seed + 1));
  const store = await open(disk).catch(() => undefined);
  const wrong: string[] = [];
  let workload: Workload | undefined;
  if (store !== undefined) {
    workload = new Workload(store, random);
    for (let i = 0; i < STEPS; i += 1) {
      await workload.step();
      if (i % 8 === 7) await sleep(120);
    }
    wrong.push(...(await differences(store, workload.model).catch(() => [])));
    await sleep(HOUSEKEEPING_MS);
    await store.close().catch(() => {});
  }
  const operations = disk.operations;
  wrong.push(...(await afterNextStart(disk.afterCrash(), workload)));
  return { operations, wrong };
}

async function afterNextStart(disk: SimulatedDisk, workload: Workload | undefined): Promise<string[]> {
  const store = await open(disk);
  const wrong = workload === undefined ? [] : await differences(store, workload.model);
  await sleep(HOUSEKEEPING_MS);
  const text = disk.text();
  for (const value of workload?.model.forgotten ?? []) {
    const isBack = [...(workload?.model.keys() ?? [])].some((key) =>
      workload?.model.possible(key).has(value),
    );
    if (!isBack && text.includes(`"${value}"`)) wrong.push(`${value.slice(0, 30)} is still on the disk`);
  }
  await store.close();
  return wrong;
}
