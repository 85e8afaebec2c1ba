import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectEmulator, type Tenant, type TestEmulator } from '../src/testing/index.js';
import { Sender, SHAPES, type Shape } from './hostile-shapes.js';
import { atMost, type Measurement, quantile } from './measurement.js';
import { type EmulatorServer, megabytesOf, startEmulatorProcess, withDirectory } from './servers.js';

/** The heap of the emulator, so that a shape that holds much memory ends it. */
const HEAP_MEGABYTES = 700;
const MIN_ATTACK_MS = 3_000;
const MAX_ATTACK_MS = 20_000;

/** Sends a request 50 times a second and prints the milliseconds of each as JSON when its input ends. */
const READER = `
import { Agent, request } from 'node:http';
const { url, method, headers, body } = JSON.parse(process.argv[1]);
const agent = new Agent({ keepAlive: true });
const times = [];
const pending = new Set();
const send = () => {
  const began = performance.now();
  const end = () => { if (pending.delete(began)) times.push(performance.now() - began); };
  pending.add(began);
  const sent = request(url, { method, headers, agent }, (response) => response.resume().on('end', end));
  sent.on('error', end).end(body);
};
const timer = setInterval(send, 20);
process.stdin.resume().on('end', () => {
  clearInterval(timer);
  for (const began of pending) times.push(performance.now() - began);
  process.stdout.write(JSON.stringify(times), () => process.exit());
});
`;

/** How long the memory may take to be back at its beginning, which it is when it has grown by at most a half. */
const MAX_SETTLE_MS = 30_000;
const SETTLED = 1.5;

/** What a shape did to the other tenant and to the emulator. */
interface Outcome {
  times: number[];
  alive: boolean;
  /** Memory before, at most, and afterwards, in megabytes. */
  before: number;
  peak: number;
  after: number;
  restartMs: number;
}

/** R4: what one tenant does to another one that reads a token, calls a reactor or creates tokens, for each shape of requests. */
export async function readersBesideHostileCallers(): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const shape of SHAPES) measurements.push(describe(shape, await measureShape(shape)));
  return measurements;
}

function describe({ name, other }: Shape, outcome: Outcome): Measurement {
  const { times, alive, before, peak, after, restartMs } = outcome;
  const [share, goal] = other === 'react' ? [0.95, 1_000] : [0.99, 100];
  const time = alive ? quantile(times, share) : Number.POSITIVE_INFINITY;
  const state = alive ? `p50 ${quantile(times, 0.5).toFixed(1)}` : 'ENDED';
  const memory = [before, peak, after].map(Math.round).join(' → ');
  const more = ` (${state}, ${memory} MB, restart ${(restartMs / 1_000).toFixed(1)} s)`;
  return atMost('R4', `another tenant beside ${name}: its p${share * 100}`, goal, time, ' ms', more);
}

/** Runs one shape against an emulator of its own. */
function measureShape(shape: Shape): Promise<Outcome> {
  return withDirectory(async (directory) => {
    const start = () =>
      startEmulatorProcess(join(directory, 'data'), [], [`--max-old-space-size=${HEAP_MEGABYTES}`]);
    const server = await start();
    const emulator = await connectEmulator(server);
    try {
      const outcome = await disturb(shape, emulator, server);
      const after = await settle(server, outcome.before * SETTLED);
      await server.stop('SIGKILL');
      const restarted = await start();
      await restarted.stop('SIGKILL');
      return { ...outcome, after, restartMs: restarted.startMs };
    } finally {
      await emulator.close();
      await server.stop('SIGKILL');
    }
  });
}

async function disturb(
  shape: Shape,
  emulator: TestEmulator,
  server: EmulatorServer,
): Promise<Omit<Outcome, 'after' | 'restartMs'>> {
  const [hostile, other] = [await emulator.tenants.create(), await emulator.tenants.create()];
  const sender = new Sender(hostile, server.port);
  const attack = await shape.prepare(sender);
  const reader = await startReader(shape.other, other, server.port);
  const before = await residentOf(server);
  let peak = before;
  const timer = setInterval(async () => {
    peak = Math.max(peak, await megabytesOf(server.pid, 'VmHWM').catch(() => 0));
  }, 200);
  try {
    const ended = attack().catch(() => {});
    await Promise.all([sleep(MIN_ATTACK_MS), Promise.race([ended, sleep(MAX_ATTACK_MS)])]);
    const times = await finishReader(reader);
    return { times, alive: server.isAlive(), before, peak };
  } finally {
    clearInterval(timer);
    sender.close();
  }
}

const residentOf = ({ pid }: EmulatorServer) => megabytesOf(pid, 'VmRSS').catch(() => 0);

/** Waits until the memory is at most `megabytes`, within bounds. @returns what it is */
async function settle(server: EmulatorServer, megabytes: number): Promise<number> {
  const end = performance.now() + MAX_SETTLE_MS;
  for (;;) {
    const now = await residentOf(server);
    if (now <= megabytes || performance.now() > end) return now;
    await sleep(500);
  }
}

/** What the other tenant does. */
async function startReader(
  kind: Shape['other'],
  { client, keys }: Tenant,
  port: number,
): Promise<ChildProcess> {
  const headers = { 'SVC-API-KEY': keys.private, 'content-type': 'application/json' };
  const send = (method: string, path: string, body?: unknown) => {
    const call = { url: `http://127.0.0.1:${port}${path}`, method, headers, body: JSON.stringify(body) };
    const args = ['--input-type=module', '-e', READER, JSON.stringify(call)];
    return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  };
  const token = { type: 'token' as const, data: 'x' };
  if (kind === 'create') return send('POST', '/tokens', token);
  if (kind === 'read') {
    const { id } = await client.call('tokens.create', { body: token });
    return send('GET', `/tokens/${id}`);
  }
  const code = 'module.exports = async (req) => ({ raw: req.args })';
  const { id } = await client.call('reactors.create', { body: { name: 'echo', code, configuration: {} } });
  await client.call('reactors.react', { path: { id }, body: { args: {} } });
  return send('POST', `/reactors/${id}/react`, { args: {} });
}

async function finishReader(reader: ChildProcess): Promise<number[]> {
  let text = '';
  reader.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const closed = new Promise((resolve) => reader.once('close', resolve));
  reader.stdin?.end();
  await closed;
  return JSON.parse(text) as number[];
}
