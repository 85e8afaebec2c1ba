import { setTimeout as sleep } from 'node:timers/promises';
import type { DataKey } from '../../../emulator/store/data-key.js';
import { openDiskStore } from '../../../emulator/store/disk-store.js';
import type { Store } from '../../../emulator/store/store.js';
import { PATIENCE_MS } from '../../support/patience.js';
import { type Fault, type ReadFault, SimulatedDisk } from './simulated-disk.js';
import { differences, type Model, seeded, Workload } from './workload.js';

export const EIO: Fault = { kind: 'error', code: 'EIO' };
export const KILL: Fault = { kind: 'crash', unsynced: 'kept' };

const POWER_CUT: Fault = { kind: 'crash', unsynced: 'lost' };

/** The faults that a disk may have at any operation, and at those that follow it; none where an operation succeeds. */
export const FAULTS: (Fault | undefined)[][] = [
  [POWER_CUT],
  [KILL],
  [{ kind: 'crash', unsynced: 'torn' }],
  [{ kind: 'error', code: 'ENOSPC' }],
  [EIO],
  [EIO, KILL],
  [EIO, EIO, KILL],
  [EIO, undefined, undefined, POWER_CUT],
  [{ kind: 'short' }],
];

/** Returns faults of consecutive operations by their number. */
export const faultsFrom = (at: number, faults: readonly (Fault | undefined)[]): Record<number, Fault> =>
  Object.fromEntries(faults.flatMap((fault, i) => (fault ? [[at + i, fault]] : [])));

/** Where a store is on a simulated disk. */
export const DATA_DIR = '/data';

/** Small enough for segments to be closed, rewritten and merged. */
const SEGMENT_BYTES = 4_096;

const STEPS = 64;
/** Long enough for a compaction in the background. */
export const HOUSEKEEPING_MS = 350;

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
    segmentBytes: SEGMENT_BYTES,
    logger: { warn: () => {} },
  });
  return store;
}

/** Runs the workload on a disk, and leaves it as a killed process does. */
export async function diskAfterWorkload(seed: number): Promise<{ disk: SimulatedDisk; content: string }> {
  const disk = new SimulatedDisk({}, seeded(seed));
  const store = await open(disk);
  const workload = new Workload(store, seeded(seed));
  for (let i = 0; i < STEPS; i += 1) await workload.step();
  const content = await contentOf(store);
  const left = disk.afterCrash('lost');
  await store.close();
  return { disk: left, content };
}

export async function contentOf(store: Store): Promise<string> {
  return JSON.stringify([
    (await store.find('tokens', {})).records,
    (await store.find('settings', {})).records,
  ]);
}

interface RunResult {
  operations: number;
  reads: number;
  wrong: string[];
}

/** Runs the workload on a disk with faults, and reports what is wrong after the next start. */
export async function runWithFaults(
  seed: number,
  faults: Record<number, Fault>,
  readFaults: Record<number, ReadFault> = {},
): Promise<RunResult> {
  const random = seeded(seed);
  const disk = new SimulatedDisk(faults, seeded(seed + 1));
  for (const [at, fault] of Object.entries(readFaults)) disk.readFaults.set(Number(at), fault);
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
    wrong.push(...(await notErased(disk, workload.model)));
    await store.close().catch(() => {});
  }
  const { operations, reads } = disk;
  wrong.push(...(await afterNextStart(disk.afterCrash(), workload)));
  return { operations, reads, wrong };
}

async function afterNextStart(found: SimulatedDisk, workload: Workload | undefined): Promise<string[]> {
  const first = await open(found).catch(String);
  if (typeof first === 'string') return [first];
  const served = await contentOf(first);
  await sleep(HOUSEKEEPING_MS);
  const disk = found.afterCrash('lost');
  await first.close();
  const store = await open(disk);
  if ((await contentOf(store)) !== served) return ['a power cut takes what the start before it served'];
  const wrong = workload === undefined ? [] : await differences(store, workload.model);
  if (workload) wrong.push(...(await notErased(disk, workload.model)));
  await store.close();
  return wrong;
}

/** Waits until no deleted value is on a disk, and reports those that stay, unless the machine stops. */
async function notErased(disk: SimulatedDisk, model: Model): Promise<string[]> {
  const isPossible = (value: string) => model.keys().some((key) => model.possible(key).has(value));
  const gone = [...model.deleted].filter((value) => !isPossible(value));
  const left = () => (disk.hasCrashed ? [] : gone).filter((value) => disk.text().includes(`"${value}"`));
  for (let waited = 0; waited < PATIENCE_MS && left().length > 0; waited += HOUSEKEEPING_MS)
    await sleep(HOUSEKEEPING_MS);
  return left().map((value) => `${value.slice(0, 30)} is still on the disk`);
}
