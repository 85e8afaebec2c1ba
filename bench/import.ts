import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atLeast, type Measurement } from './measurement.js';
import { EXECUTABLE, startEmulatorProcess } from './servers.js';

const ROWS = 100_000;
/** One row of this number is rejected. */
const REJECTED_OF = 100;

const ndjson = (index: number): string =>
  `${JSON.stringify({ type: 'token', data: { name: `Customer ${index}`, number: index }, metadata: { batch: `b${index % 100}` } })}\n`;

const CSV_COLUMNS = 'type,data,mask,metadata.customer\n';

/** Rejected rows are not valid by the contract, or refused by the service alone, in turn. */
function csv(index: number): string {
  const isRejected = index % REJECTED_OF === 37;
  const isInvalid = isRejected && index % (2 * REJECTED_OF) === 37;
  const mask = isRejected && !isInvalid ? '{{ data | unknown_filter }}' : '{{ data | last4 }}';
  return `${isInvalid ? 'nothing' : 'token'},Customer ${index},${mask},c${index}\n`;
}

interface Report {
  imported: number;
  rejected: number;
  rows_per_second: number;
}

/** Imports a file into an emulator with its data on disk, both processes as a user starts them. */
async function importFile(name: string, text: string): Promise<Report> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-bench-'));
  const emulator = await startEmulatorProcess(join(directory, 'data'));
  try {
    await writeFile(join(directory, name), text);
    const args = ['token', 'import', name, '--quiet', '--data-dir', 'data', '--rejects', 'rejects'];
    const { stdout } = spawnSync(process.execPath, [EXECUTABLE, ...args], { cwd: directory });
    return JSON.parse(String(stdout)) as Report;
  } finally {
    await emulator.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

function measurement(what: string, goal: number, report: Report, rejected: number): Measurement {
  const { rows_per_second: rate } = report;
  if (report.rejected !== rejected || report.imported !== ROWS - rejected)
    throw new Error(`imported ${report.imported} of ${ROWS}, rejected ${report.rejected}`);
  return atLeast('C1', what, goal, rate, ' rows/s');
}

const rows = (row: (index: number) => string): string =>
  Array.from({ length: ROWS }, (_, i) => row(i)).join('');

/** C1: `token import` of NDJSON, and of CSV with rejected rows. */
export async function bulkImport(): Promise<Measurement[]> {
  const what = `token import of ${ROWS.toLocaleString('en')} rows`;
  const clean = await importFile('rows.ndjson', rows(ndjson));
  const mixed = await importFile('rows.csv', CSV_COLUMNS + rows(csv));
  return [
    measurement(`${what} of NDJSON`, 10_000, clean, 0),
    measurement(`${what} of CSV, 1 % of them rejected`, 5_000, mixed, ROWS / REJECTED_OF),
  ];
}
