import { expect, test, vi } from 'vitest';
import { PATIENCE } from '../../support/patience.js';
import { ownSandbox } from '../../support/sandbox.js';
import { width } from '../../support/width.js';
import { soak } from './soak.js';

const MiB = 1024 ** 2;
/** Instances that are kept ready in addition to those that belong to a reactor. */
const SPARES = 2;

test('a mix of normal and hostile reactors returns correct results and releases its memory', async () => {
  const sandbox = ownSandbox({ limits: { memoryBytes: 64 * MiB } });
  let left = width(20, 4_000);
  const report = await soak(sandbox, () => left-- > 0);
  expect(report.wrong).toEqual([]);
  await vi.waitFor(() => {
    const { running, queued, workers, idle, memoryBytes } = sandbox.stats();
    expect({ running, queued }).toEqual({ running: 0, queued: 0 });
    expect(workers).toBeLessThanOrEqual(idle + SPARES);
    expect(memoryBytes).toBeLessThanOrEqual(workers * 48 * MiB);
  }, PATIENCE);
});
