import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** One line of the table that `npm run bench` prints. */
interface Measurement {
  id: string;
  what: string;
  goal: string;
  measured: string;
  met: boolean;
}

const EXECUTABLE = fileURLToPath(new URL('../bin/tokenctl.js', import.meta.url));
const ROWS = 100_000;
const GOAL = 10_000;

const row = (index: number): string =>
  `${JSON.stringify({ type: 'token', data: { name: `Customer ${index}`, number: index }, metadata: { batch: `b${index % 100}` } })}\n`;

/** C1: `token import` of 100,000 rows into an emulator with its data on disk, each process as a user starts it. */
export async function bulkImport(): Promise<Measurement> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-bench-'));
  const env = {
    ...process.env,
    TOKENCTL_DATA_DIR: join(directory, 'data'),
    TOKENCTL_CONFIG_DIR: join(directory, 'config'),
  };
  await writeFile(
    join(directory, 'rows.ndjson'),
    Array.from({ length: ROWS }, (_, index) => row(index)).join(''),
  );
  const flags = ['emulator', 'start', '--port', '0', '--no-rate-limit', '--json'];
  const emulator = spawn(process.execPath, [EXECUTABLE, ...flags], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(emulator, 'close');
  try {
    await once(createInterface(emulator.stdout), 'line');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [EXECUTABLE, 'token', 'import', 'rows.ndjson', '--quiet'],
      {
        cwd: directory,
        env,
      },
    );
    const { imported, rows_per_second } = JSON.parse(stdout) as { imported: number; rows_per_second: number };
    if (imported !== ROWS) throw new Error(`imported ${imported} of ${ROWS}`);
    return {
      id: 'C1',
      what: `token import of ${ROWS.toLocaleString('en')} rows into the emulator`,
      goal: `≥ ${GOAL.toLocaleString('en')} rows/s`,
      measured: `${rows_per_second.toLocaleString('en')} rows/s`,
      met: rows_per_second >= GOAL,
    };
  } finally {
    emulator.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true, force: true });
  }
}
