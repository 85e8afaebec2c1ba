import { setTimeout as sleep } from 'node:timers/promises';
import type { DataKey } from '../../../emulator/store/data-key.js';
import { openDiskStore } from '../../../emulator/store/disk-store.js';
import type { Store } from '../../../emulator/store/store.js';
import { PATIENCE_MS } from '../../support/patience.js';
import { type Fault, SimulatedDisk } from './simulated-disk.js';
import { differences, seeded, Workload } from './workload.js';

/** The faults that a disk may have at any operation. */
export const FAULTS: Fault[] = [
  { kind: 'crash', unsynced: 'lost' },
  { kind: 'crash', unsynced: 'kept' },
  { kind: 'crash', unsynced: 'torn' },
  { kind: 'error', code: 'ENOSPC' },
  { kind: 'error', code: 'EIO' },
  { kind: 'short' },
];

/** Where a store is on a simulated disk. */
export const DATA_DIR = '/data';

const STEPS = 24;
/** Long enough for a compaction in the background. */
const HOUSEKEEPING_MS = 350;

/** Opens a store on a simulated disk. */
export async function open(
  disk: SimulatedDisk,
  durability: 'sync' | 'os' = 'sync',
  options: { dataKey?: DataKey } = {},
): Promise<Store> {
  const { store } = await openDiskStore({
    ...options,
    files: disk,
    dataDir: DATA_DIR,
    durability,
    logger: { warn: () => {} },
  });
  return store;
}

interface RunResult {
  operations: number;
  wrong: string[];
}

/** Runs the workload on a disk with faults, and reports what is wrong after the next start. */
export async function runWithFaults(seed: number, faults: Record<number, Fault>): Promise<RunResult> {
  const random = seeded(seed);
  const disk = new SimulatedDisk(faults, seeded(seed + 1));
  const store = await open(disk).catch(() => undefined);
  const wrong: string[] = [];
  let workload: Workload | undefined;
  if (store !== undefined) {
    workload = new Workload(store, random);
    for (let i = 0; i < STEPS; i += 1) {
      await workload.step().catch((error) => {
        // After a crash of the machine nothing can be read either.
        if (!disk.hasCrashed) throw error;
      });
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
  const { model } = workload ?? {};
  const isPossible = (value: string) => model?.keys().some((key) => model.possible(key).has(value));
  const gone = [...(model?.deleted ?? [])].filter((value) => !isPossible(value));
  const left = () => gone.filter((value) => disk.text().includes(`"${value}"`));
  for (let waited = 0; waited < PATIENCE_MS && left().length > 0; waited += HOUSEKEEPING_MS) {
    await sleep(HOUSEKEEPING_MS);
  }
  wrong.push(...left().map((value) => `${value.slice(0, 30)} is still on the disk`));
  await store.close();
  return wrong;
}
