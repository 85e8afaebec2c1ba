import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, send } from './clients.js';
import { atMost, type Measurement, median, timeInTurn } from './measurement.js';
import { createDirectory, type EmulatorServer, startEmulator } from './servers.js';
import { startAgainstNothing } from './startup.js';

const FEW = 1_000;
const MANY = 100_000;
const REQUESTS = 1_440;
/** The first requests warm both up. */
const WARM_UP = 360;
const SETTLE_MS = 2_000;
const STARTS = 7;

const idOf = (number: number) => `token-${String(number).padStart(8, '0')}`;

/** Expressions are texts: all tokens differ, although their card is the same. */
const tokenOf = (number: number) => ({
  id: idOf(number),
  type: 'card',
  data: { number: '4242424242424242', expiration_month: 12, expiration_year: 2030 },
  metadata: { customer: `customer-${number}`, order: `order-${number % 7}` },
  search_indexes: [`value-${number}`],
  fingerprint_expression: `fingerprint-${number}`,
});

interface Filled {
  dataDir: string;
  count: number;
  emulator: EmulatorServer;
}

async function startFilled(directory: string, count: number): Promise<Filled> {
  const dataDir = join(directory, String(count));
  const emulator = await startEmulator([], dataDir);
  for (let from = 0; from < count; from += FEW) {
    const body = Array.from({ length: FEW }, (_, index) => tokenOf(from + index));
    await send(emulator.url, { method: 'POST', path: '/tokenize', key: emulator.keys.private, body });
  }
  return { dataDir, count, emulator };
}

type GrowthRequest = [method: Call['method'], path: string, body?: unknown];

const OPERATIONS: Record<string, (number: number, count: number) => GrowthRequest> = {
  create: (number) => [
    'POST',
    '/tokens',
    { type: 'token', data: `new ${number}`, metadata: { customer: 'new' } },
  ],
  get: (number, count) => ['GET', `/tokens/${idOf((number * 7919) % count)}`],
  'page of a list': (number) => ['GET', `/tokens?size=20&page=${1 + (number % 20)}`],
  'metadata filter': (number, count) => [
    'GET',
    `/tokens?metadata.customer=customer-${(number * 7919) % count}`,
  ],
  'search by index': (number, count) => [
    'POST',
    '/tokens/search',
    { query: `data:"value-${(number * 7919) % count}"` },
  ],
  'usage report': () => ['GET', '/tenants/self/reports/usage'],
};

/** The ratio of the medians of both emulators, asked in turn. */
async function compare(operation: (number: number, count: number) => GrowthRequest, both: [Filled, Filled]) {
  const tasks = both.map(({ emulator: { url, keys }, count }) => (round: number) => {
    const [method, path, body] = operation(round, count);
    const key = path.startsWith('/tokens') ? keys.private : keys.management;
    return send(url, { method, path, key, body });
  });
  const [few = [], many = []] = await timeInTurn(REQUESTS, ...tasks);
  return median(many.slice(WARM_UP)) / median(few.slice(WARM_UP));
}

/** Resident memory. Linux only. */
async function residentMegabytes({ pid }: EmulatorServer): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** G1 and G2: what 100,000 stored tokens cost. */
export async function growth(): Promise<Measurement[]> {
  const directory = await createDirectory();
  const few = await startFilled(directory, FEW);
  const many = await startFilled(directory, MANY);
  await sleep(SETTLE_MS);
  const resident = await residentMegabytes(many.emulator);
  const measurements: Measurement[] = [];
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const what = `${name}: ${MANY} stored tokens against ${FEW}`;
    measurements.push(atMost('G1', what, 1.2, await compare(operation, [few, many])));
  }
  await Promise.all([few.emulator.end(), many.emulator.end()]);
  const { startMs, ratio } = await startAgainstNothing(STARTS, () => many.dataDir);
  const more = ` (${ratio.toFixed(1)} × node -e 0)`;
  return [
    ...measurements,
    atMost('G2', `resident memory with ${MANY} tokens`, 350, resident, ' MB'),
    atMost('G2', `start with ${MANY} tokens`, 1_200, startMs, ' ms', more),
  ];
}
