import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../emulator/store/store.js';
import { PATIENCE } from '../../support/patience.js';
import { width } from '../../support/width.js';
import { DATA_DIR, FAULTS, open } from './boundaries.js';
import { type Fault, SimulatedDisk } from './simulated-disk.js';
import { seeded } from './workload.js';

const FIXTURE = fileURLToPath(
  new URL('../../../fixtures/data-directories/format-1-encrypted', import.meta.url),
);
const STRIDE = width(3, 1);
const dataKey = async () => Buffer.alloc(32, 1);
/** Long enough for the values to be rewritten in the background. */
const REWRITE_MS = 600;

async function diskOfFormat1(faults: Record<number, Fault>): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk(faults, seeded(1));
  for (const entry of await readdir(FIXTURE, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) disk.load(join(DATA_DIR, relative(FIXTURE, path)), await readFile(path));
  }
  return disk;
}

async function contentOf(store: Store): Promise<unknown[]> {
  const content: unknown[] = [];
  await store.copy((change) => void content.push(change));
  return content;
}

/** Opens a data directory of format 1 on a disk with faults, and compares what the next start reads. */
async function upgradeWithFaults(faults: Record<number, Fault>): Promise<number> {
  const expected = await contentOf(await open(await diskOfFormat1({}), 'sync', { dataKey }));
  const disk = await diskOfFormat1(faults);
  const first = await open(disk, 'sync', { dataKey }).catch(() => undefined);
  await sleep(REWRITE_MS);
  await first?.close().catch(() => {});
  const { operations } = disk;
  const next = disk.afterCrash();
  const store = await open(next, 'sync', { dataKey });
  expect(await contentOf(store)).toEqual(expected);
  const { key_check: check } = JSON.parse(await readFile(join(FIXTURE, 'store.json'), 'utf8'));
  await expect
    .poll(() => ['"sealed"', check].some((text) => next.text().includes(text)), PATIENCE)
    .toBe(false);
  expect(await contentOf(store)).toEqual(expected);
  await store.close();
  return operations;
}

describe('the upgrade of an encrypted data directory of format 1 whose disk fails at any operation', () => {
  it.each(FAULTS)('loses nothing and is completed by the next start: %j', async (fault) => {
    const operations = await upgradeWithFaults({});
    const points = Array.from({ length: Math.floor(operations / STRIDE) }, (_, i) => 1 + i * STRIDE);
    await Promise.all(points.map((at) => upgradeWithFaults({ [at]: fault })));
    expect(points.length).toBeGreaterThan(5);
  });
});
