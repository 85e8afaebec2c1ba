import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tokenctl } from '../test/support/executable.js';
import { send } from './clients.js';
import { atLeast, atMost, type Measurement, median, timeInTurn } from './measurement.js';
import { connect, createDirectory, endAll, startEmulator } from './servers.js';

const ROWS = 100_000;
/** One row of this number is rejected. */
const REJECTED_OF = 100;
const TOKENS = 1_000;
const ROUNDS = 60;

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

const rows = (row: (index: number) => string): string =>
  Array.from({ length: ROWS }, (_, i) => row(i)).join('');

/** Imports a file into an emulator with its data on disk, both processes as a user starts them. @returns rows per second */
async function importFile(name: string, text: string, expectedRejects: number): Promise<number> {
  const cwd = await createDirectory();
  await startEmulator([], join(cwd, 'data'));
  await writeFile(join(cwd, name), text);
  const command = `token import ${name} --quiet --data-dir data --rejects rejects`;
  const { imported, rejected, rows_per_second: rate } = (await tokenctl(command, { cwd })).json;
  if (rejected !== expectedRejects || imported !== ROWS - expectedRejects)
    throw new Error(`imported ${imported} of ${ROWS}, rejected ${rejected}`);
  return rate;
}

/** C1: `token import` of NDJSON, and of CSV with rejected rows. */
export async function bulkImport(): Promise<Measurement[]> {
  const what = `token import of ${ROWS.toLocaleString('en')} rows`;
  const clean = await importFile('rows.ndjson', rows(ndjson), 0);
  await endAll();
  const mixed = await importFile('rows.csv', CSV_COLUMNS + rows(csv), ROWS / REJECTED_OF);
  return [
    atLeast('C1', `${what} of NDJSON`, 10_000, clean, ' rows/s'),
    atLeast('C1', `${what} of CSV, 1 % of them rejected`, 5_000, mixed, ' rows/s'),
  ];
}

/** C2: reset, and snapshot restore of 1,000 tokens. */
export async function resets(): Promise<Measurement[]> {
  const server = await startEmulator();
  const { reset, snapshots } = await connect(server);
  const data = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030 };
  const body = Array.from({ length: TOKENS }, () => ({ type: 'card', data }));
  await send(server.url, { method: 'POST', path: '/tokenize', key: server.keys.private, body });
  await snapshots.save('bench');
  const restore = () => snapshots.restore('bench');
  const [resetTimes = [], restoreTimes = []] = await timeInTurn(ROUNDS, reset, restore);
  return [
    atMost('C2', `emulator reset of ${TOKENS} tokens`, 20, median(resetTimes), ' ms'),
    atMost('C2', `snapshot restore of ${TOKENS} tokens`, 20, median(restoreTimes), ' ms'),
  ];
}
