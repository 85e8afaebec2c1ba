import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, Client } from './clients.js';
import { atMost, type Measurement, median, timeInTurn } from './measurement.js';
import { type EmulatorServer, startEmulatorProcess, withDirectory } from './servers.js';
import { runNothing } from './startup.js';

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
  const emulator = await startEmulatorProcess(dataDir);
  const client = new Client(emulator.url);
  for (let from = 0; from < count; from += FEW) {
    const body = Array.from({ length: FEW }, (_, index) => tokenOf(from + index));
    await client.send({ method: 'POST', path: '/tokenize', key: emulator.keys.private, body });
  }
  client.close();
  return { dataDir, count, emulator };
}

/** A request, sent with the private key unless `as` names another. */
interface GrowthRequest extends Omit<Call, 'key'> {
  as?: 'management';
}

const OPERATIONS: Record<string, (number: number, count: number) => GrowthRequest> = {
  create: (number) => ({
    method: 'POST',
    path: '/tokens',
    body: { type: 'token', data: `new ${number}`, metadata: { customer: 'new' } },
  }),
  get: (number, count) => ({ method: 'GET', path: `/tokens/${idOf((number * 7919) % count)}` }),
  'page of a list': (number) => ({ method: 'GET', path: `/tokens?size=20&page=${1 + (number % 20)}` }),
  'metadata filter': (number, count) => ({
    method: 'GET',
    path: `/tokens?metadata.customer=customer-${(number * 7919) % count}`,
  }),
  'search by index': (number, count) => ({
    method: 'POST',
    path: '/tokens/search',
    body: { query: `data:"value-${(number * 7919) % count}"` },
  }),
  'usage report': () => ({ method: 'GET', path: '/tenants/self/reports/usage', as: 'management' }),
};

/** The ratio of the medians of both emulators, asked in turn. */
async function compare(operation: (number: number, count: number) => GrowthRequest, both: [Filled, Filled]) {
  const clients = both.map(({ emulator }) => new Client(emulator.url));
  const tasks = both.map(({ emulator, count }, at) => (round: number) => {
    const { as = 'private', ...request } = operation(round, count);
    return clients[at]?.send({ ...request, key: emulator.keys[as] });
  });
  const [few = [], many = []] = await timeInTurn(REQUESTS, ...tasks);
  for (const client of clients) client.close();
  return median(many.slice(WARM_UP)) / median(few.slice(WARM_UP));
}

/** G2: how long a start takes. */
async function startOf(dataDir: string): Promise<Measurement> {
  const starts: number[] = [];
  const [baselines = []] = await timeInTurn(STARTS, runNothing, async () => {
    const emulator = await startEmulatorProcess(dataDir);
    starts.push(emulator.startMs);
    await emulator.stop();
  });
  const startMs = median(starts);
  const ratio = (startMs / median(baselines)).toFixed(1);
  return atMost('G2', `start with ${MANY} tokens`, 1_200, startMs, ' ms', ` (${ratio} × node -e 0)`);
}

/** Resident memory. Linux only. */
async function residentMegabytes({ pid }: EmulatorServer): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** G1 and G2: what 100,000 stored tokens cost. */
export function growth(): Promise<Measurement[]> {
  return withDirectory(async (directory) => {
    const few = await startFilled(directory, FEW);
    const many = await startFilled(directory, MANY);
    const measurements: Measurement[] = [];
    try {
      await sleep(SETTLE_MS);
      const resident = await residentMegabytes(many.emulator);
      for (const [name, operation] of Object.entries(OPERATIONS)) {
        const what = `${name}: ${MANY} stored tokens against ${FEW}`;
        measurements.push(atMost('G1', what, 1.2, await compare(operation, [few, many])));
      }
      measurements.push(atMost('G2', `resident memory with ${MANY} tokens`, 350, resident, ' MB'));
    } finally {
      await Promise.all([few.emulator.stop(), many.emulator.stop()]);
    }
    return [...measurements, await startOf(many.dataDir)];
  });
}
