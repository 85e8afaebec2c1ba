import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmulator } from '../emulator/index.js';
import { createSandbox } from '../emulator/sandbox/sandbox.js';
import { type Call, Client } from './clients.js';
import { atMost, type Measurement, median, ms, quantile, timed, timeInTurn } from './measurement.js';
import { startEmulatorProcess, withDirectory } from './servers.js';

const KILOBYTE = { text: 'x'.repeat(1000) };
const STARTS = 10;
const UPDATES_PER_START = 10;
const READERS = 10;
/** Invocations of each hostile reactor at the same time. */
const INVOCATIONS = 5;
const HOSTILE = [
  'module.exports = async () => { for (;;) {} }',
  'module.exports = async () => { for (;;) await 1 }',
  'module.exports = async () => { const a = []; for (;;) a.push("x".repeat(1000) + a.length) }',
  'module.exports = async () => { Array.prototype.sort.call({ length: 2 ** 32 - 1 }) }',
];

/** R1: a warm invocation inside the process. */
export async function warmInvocation(): Promise<Measurement> {
  const sandbox = createSandbox({ runtime: 'quickjs', network: { mode: 'loopback' } });
  const invocation = {
    reactorId: 'reactor',
    version: '1',
    code: 'module.exports = async (req) => ({ raw: req.args })',
    args: KILOBYTE,
    configuration: {},
    svc: null,
    traceId: 'trace',
    timeoutMs: 10_000,
  };
  const [times = []] = await timeInTurn(3_000, async () => {
    const { kind } = await sandbox.invoke(invocation);
    if (kind !== 'returned') throw new Error(kind);
  });
  await sandbox.close();
  const steady = times.slice(500);
  const what = 'warm invocation of a reactor, 1 KB in and out, inside the process';
  return atMost('R1', what, 0.3, median(steady), ' ms', ` (p99 ${ms(quantile(steady, 0.99))})`);
}

/** The versions of a reactor, each of which returns its number. */
const versionOf = (version: number) => ({
  name: 'bench',
  code: `module.exports = async (req) => ({ raw: [${version}, req.args] })`,
  configuration: {},
});

/** A reactor of an emulator process, over one kept-alive connection. */
interface RemoteReactor {
  create(): Promise<string>;
  update(id: string, version: number): Promise<unknown>;
  invoke(id: string, version: number): Promise<void>;
}

async function withReactor<T>(dataDir: string, use: (reactor: RemoteReactor) => Promise<T>): Promise<T> {
  const { url, keys, stop } = await startEmulatorProcess(dataDir);
  const client = new Client(url);
  const send = (method: Call['method'], path: string, key: string, body: unknown) =>
    client.send({ method, path, key, body });
  try {
    return await use({
      create: async () => String((await send('POST', '/reactors', keys.management, versionOf(0))).id),
      update: (id, version) => send('PUT', `/reactors/${id}`, keys.management, versionOf(version)),
      async invoke(id, version) {
        const { raw } = await send('POST', `/reactors/${id}/react`, keys.private, { args: KILOBYTE });
        if ((raw as unknown[])[0] !== version) throw new Error(`Another version than ${version} answered.`);
      },
    });
  } finally {
    client.close();
    await stop();
  }
}

/**
 * R2, over HTTP against the built emulator: the first invocation, sent when the ready line is printed, and the first one
 * after each of several updates sent back to back.
 */
export function firstInvocations(): Promise<Measurement[]> {
  return withDirectory(async (directory) => {
    const dataDir = join(directory, 'data');
    const afterStart: number[] = [];
    const afterUpdate: number[] = [];
    const id = await withReactor(dataDir, (reactor) => reactor.create());
    let version = 0;
    for (let start = 0; start < STARTS; start++) {
      await withReactor(dataDir, async ({ invoke, update }) => {
        afterStart.push(await timed(() => invoke(id, version)));
        for (let count = 0; count < UPDATES_PER_START; count++) {
          await update(id, ++version);
          afterUpdate.push(await timed(() => invoke(id, version)));
        }
      });
    }
    const row = (what: string, goal: number, value: number, times: number[]) =>
      atMost('R2', what, goal, value, ' ms', ` (median ${ms(median(times))}, max ${ms(Math.max(...times))})`);
    return [
      row('first invocation, sent at the ready line', 80, median(afterStart), afterStart),
      row('first invocation after an update, p95', 40, quantile(afterUpdate, 0.95), afterUpdate),
    ];
  });
}

/** Several clients that read a token for a while. @returns milliseconds of each read */
async function readTokens(client: Client, call: Call, forMs: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + forMs;
  const reader = async () => {
    while (performance.now() < end) {
      times.push(await timed(() => client.send(call)));
      await sleep(5);
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return times;
}

/** R3: what hostile reactors do to clients that read tokens, over HTTP. */
export async function readersBesideHostileReactors(): Promise<Measurement> {
  const emulator = await startEmulator({ port: 0, memory: true, rateLimit: false });
  const { management, private: key } = emulator.keys;
  const client = new Client(emulator.url, Number.POSITIVE_INFINITY);
  const send = (path: string, body: unknown, as = key) =>
    client.send({ method: 'POST', path, key: as, body });
  const { id } = await send('/tokens', { type: 'token', data: 'x' });
  const read: Call = { method: 'GET', path: `/tokens/${id}`, key };
  const quiet = await readTokens(client, read, 2_000);
  for (const [index, code] of HOSTILE.entries()) {
    const created = await send(
      '/reactors',
      { name: `hostile-${index}`, code, configuration: {} },
      management,
    );
    for (let i = 0; i < INVOCATIONS; i += 1)
      void send(`/reactors/${created.id}/react`, { args: {} }).catch(() => {});
  }
  const disturbed = await readTokens(client, read, 6_000);
  client.close();
  await emulator.close();
  const what = 'clients read tokens while 20 invocations of hostile reactors run: their p99';
  const without = ` (without: ${ms(quantile(quiet, 0.99))})`;
  return atMost('R3', what, 50, quantile(disturbed, 0.99), ' ms', without);
}
