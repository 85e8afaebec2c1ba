import { expect, test, vi } from 'vitest';
import { ownSandbox } from '../../support/sandbox.js';
import { soak } from './soak.js';

const MiB = 1024 ** 2;

test('a mix of normal and hostile code: right results, and memory as before', async () => {
  const sandbox = ownSandbox({ limits: { memoryBytes: 64 * MiB } });
  const report = await soak(sandbox, 8_000);
  expect(report.wrong).toEqual([]);
  expect(report.normal).toBeGreaterThan(10);
  await vi.waitFor(() => expect(sandbox.stats()).toMatchObject({ running: 0, queued: 0 }), 10_000);
  const { workers, idle, memoryBytes } = sandbox.stats();
  expect(workers).toBeLessThanOrEqual(idle + 1);
  expect(memoryBytes).toBeLessThanOrEqual(workers * 48 * MiB);
}, 120_000);
