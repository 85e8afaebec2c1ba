import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Measurement } from './measurement.js';
import { EXECUTABLE, startEmulatorProcess } from './servers.js';

const ROWS = 100_000;
const GOAL = 10_000;

const row = (index: number): string =>
  `${JSON.stringify({ type: 'token', data: { name: `Customer ${index}`, number: index }, metadata: { batch: `b${index % 100}` } })}\n`;

const perSecond = (rate: number): string => `${rate.toLocaleString('en')} rows/s`;

/** C1: `token import` into an emulator with its data on disk, both processes as a user starts them. */
export async function bulkImport(): Promise<Measurement> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-bench-'));
  const emulator = await startEmulatorProcess(join(directory, 'data'));
  try {
    await writeFile(
      join(directory, 'rows.ndjson'),
      Array.from({ length: ROWS }, (_, index) => row(index)).join(''),
    );
    const args = ['token', 'import', 'rows.ndjson', '--quiet', '--data-dir', 'data'];
    const { stdout } = await promisify(execFile)(process.execPath, [EXECUTABLE, ...args], { cwd: directory });
    const { imported, rows_per_second: rate } = JSON.parse(stdout) as Record<string, number>;
    if (imported !== ROWS || rate === undefined) throw new Error(`imported ${imported} of ${ROWS}`);
    return {
      id: 'C1',
      what: `token import of ${ROWS.toLocaleString('en')} rows into the emulator`,
      goal: `≥ ${perSecond(GOAL)}`,
      measured: perSecond(rate),
      met: rate >= GOAL,
    };
  } finally {
    await emulator.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
