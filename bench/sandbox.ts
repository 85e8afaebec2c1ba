import { startEmulator } from '../emulator/index.js';
import { createSandbox, type Sandbox } from '../emulator/sandbox/sandbox.js';
import { Client, ms, quantile, readTokens } from './clients.js';
import { atMost, type Measurement, median } from './measurement.js';

const KILOBYTE = { text: 'x'.repeat(1000) };
const ECHO = 'module.exports = async (req) => ({ raw: req.args })';
const HOSTILE = [
  'module.exports = async () => { for (;;) {} }',
  'module.exports = async () => { for (;;) await 1 }',
  'module.exports = async () => { const a = []; for (;;) a.push("x".repeat(1000) + a.length) }',
  'module.exports = async () => { Array.prototype.sort.call({ length: 2 ** 32 - 1 }) }',
];

const newSandbox = (): Sandbox => createSandbox({ runtime: 'quickjs', network: { mode: 'loopback' } });

async function timed(sandbox: Sandbox, version: string): Promise<number> {
  const began = performance.now();
  const outcome = await sandbox.invoke({
    reactorId: 'reactor',
    version,
    code: ECHO,
    args: KILOBYTE,
    configuration: {},
    svc: null,
    traceId: 'trace',
    timeoutMs: 10_000,
  });
  if (outcome.kind !== 'returned') throw new Error(outcome.kind);
  return performance.now() - began;
}

/** R1: a warm invocation inside the process. */
export async function warmInvocation(): Promise<Measurement> {
  const sandbox = newSandbox();
  const times: number[] = [];
  for (let i = 0; i < 3_000; i++) times.push(await timed(sandbox, '1'));
  await sandbox.close();
  const steady = times.slice(500);
  const what = 'warm invocation of a reactor, 1 KB in and out, inside the process';
  return atMost('R1', what, 0.3, median(steady), ' ms', ` (p99 ${ms(quantile(steady, 0.99))})`);
}

/** R3: what hostile reactors do to clients that read tokens, over HTTP. */
export async function readersBesideHostileReactors(): Promise<Measurement> {
  const emulator = await startEmulator({ port: 0, memory: true, rateLimit: false });
  const { management, private: key } = emulator.keys;
  const client = new Client(emulator.url);
  const { json } = await client.send({
    method: 'POST',
    path: '/tokens',
    key,
    body: { type: 'token', data: 'x' },
  });
  const read = { method: 'GET', path: `/tokens/${json.id}`, key };
  const quiet = await readTokens(client, read, 2_000);
  for (const [index, code] of HOSTILE.entries()) {
    const body = { name: `hostile-${index}`, code, configuration: {} };
    const created = await client.send({ method: 'POST', path: '/reactors', key: management, body });
    const react = { method: 'POST', path: `/reactors/${created.json.id}/react`, key, body: { args: {} } };
    void client.send(react).catch(() => {});
  }
  const disturbed = await readTokens(client, read, 6_000);
  client.close();
  await emulator.close();
  const what = 'clients read tokens while hostile reactors run: their p99';
  const without = ` (without: ${ms(quantile(quiet, 0.99))})`;
  return atMost('R3', what, 50, quantile(disturbed, 0.99), ' ms', without);
}
