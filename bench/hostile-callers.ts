import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../src/testing/index.js';
import { Sender, SHAPES, type Shape } from './hostile-shapes.js';
import { atMost, type Measurement, quantile } from './measurement.js';
import { connect, endAll, startEmulator } from './servers.js';

/** The heap of the emulator, so that a shape that holds much memory ends it. */
const NODE = '--max-old-space-size=700';
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

/** R3 and R4: what one tenant does to another one that reads a token, calls a reactor or creates tokens, for each shape of requests. */
export async function besideHostileCallers(id: Shape['id']): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const shape of SHAPES.filter((one) => one.id === id)) {
    measurements.push(await measure(shape));
    await endAll();
  }
  return measurements;
}

/** Runs one shape against an emulator of its own. */
async function measure({ id, name, other, goal, prepare }: Shape): Promise<Measurement> {
  const server = await startEmulator([], undefined, NODE);
  const { tenants } = await connect(server);
  const attack = await prepare(new Sender(await tenants.create(), server.url));
  const finish = await startReader(other, await tenants.create(), server.url);
  const ended = attack().catch(() => {});
  await Promise.all([sleep(MIN_ATTACK_MS), Promise.race([ended, sleep(MAX_ATTACK_MS)])]);
  const times = await finish();
  const share = other === 'react' ? 0.95 : 0.99;
  const { exitCode, signalCode } = server.child;
  const isAlive = exitCode === null && signalCode === null;
  const time = isAlive ? quantile(times, share) : Number.POSITIVE_INFINITY;
  // Its requests need not end.
  await server.end('SIGKILL');
  const median = ` (p50 ${quantile(times, 0.5).toFixed(1)})`;
  return atMost(id, `another tenant beside ${name}: its p${share * 100}`, goal, time, ' ms', median);
}

/** Lets the other tenant work in a process of its own. @returns a function that ends it, and returns the milliseconds of each request */
async function startReader(kind: Shape['other'], { client, keys }: Tenant, base: string) {
  const headers = { 'SVC-API-KEY': keys.private, 'content-type': 'application/json' };
  const [method, path, body] = await requestOf(kind, client);
  const call = { url: base + path, method, headers, body: JSON.stringify(body) };
  const args = ['--input-type=module', '-e', READER, JSON.stringify(call)];
  const reader = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(reader, 'spawn');
  return async () => {
    reader.stdin.end();
    return JSON.parse(await text(reader.stdout)) as number[];
  };
}

/** What the other tenant sends. */
async function requestOf(
  kind: Shape['other'],
  client: Tenant['client'],
): Promise<[method: string, path: string, body?: object]> {
  const token = { type: 'token' as const, data: 'x' };
  if (kind === 'create') return ['POST', '/tokens', token];
  if (kind === 'read') return ['GET', `/tokens/${(await client.call('tokens.create', { body: token })).id}`];
  const code = 'module.exports = async (req) => ({ raw: req.args })';
  const { id } = await client.call('reactors.create', { body: { name: 'echo', code, configuration: {} } });
  await client.call('reactors.react', { path: { id }, body: { args: {} } });
  return ['POST', `/reactors/${id}/react`, { args: {} }];
}
