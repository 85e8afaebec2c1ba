import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSandbox } from '../emulator/sandbox/sandbox.js';
import { startTokenctl } from '../test/support/executable.js';
import { send } from './clients.js';
import { atMost, type Measurement, median, ms, quantile, timed, timeInTurn } from './measurement.js';
import { createDirectory, startEmulator } from './servers.js';

const KILOBYTE = { text: 'x'.repeat(1000) };
const STARTS = 10;
const UPDATES_PER_START = 10;

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

/**
 * R2, over HTTP against the built emulator: the first invocation, sent when the ready line is printed, and the first one
 * after each of several updates sent back to back.
 */
export async function firstInvocations(): Promise<Measurement[]> {
  const dataDir = join(await createDirectory(), 'data');
  const afterStart: number[] = [];
  const afterUpdate: number[] = [];
  const first = await startEmulator([], dataDir);
  const { url, keys } = first;
  const key = keys.management;
  const { id } = await send(url, { method: 'POST', path: '/reactors', key, body: versionOf(0) });
  await first.end();
  let version = 0;
  for (let start = 0; start < STARTS; start++) {
    const { url, end } = await startEmulator([], dataDir);
    const invoke = async () => {
      const react = { path: `/reactors/${id}/react`, key: keys.private, body: { args: KILOBYTE } };
      const { raw } = await send(url, { method: 'POST', ...react });
      if ((raw as unknown[])[0] !== version) throw new Error(`Another version than ${version} answered.`);
    };
    afterStart.push(await timed(invoke));
    for (let count = 0; count < UPDATES_PER_START; count++) {
      await send(url, { method: 'PUT', path: `/reactors/${id}`, key, body: versionOf(++version) });
      afterUpdate.push(await timed(invoke));
    }
    await end();
  }
  const row = (what: string, goal: number, value: number, times: number[]) =>
    atMost('R2', what, goal, value, ' ms', ` (median ${ms(median(times))}, max ${ms(Math.max(...times))})`);
  return [
    row('first invocation, sent at the ready line', 80, median(afterStart), afterStart),
    row('first invocation after an update, p95', 40, quantile(afterUpdate, 0.95), afterUpdate),
  ];
}

/** W2: from a save of a reactor's file until what watches it says green or red. */
export async function savesUntilResult(): Promise<Measurement[]> {
  const cwd = await createDirectory();
  const { url, keys } = await startEmulator(['--memory']);
  const env = { TOKENCTL_BASE_URL: url, TOKENCTL_API_KEY: keys.management };
  await writeFile(join(cwd, 'charge.test.json'), '{ "cases": [{ "name": "answers", "result": {} }] }');
  const measure = async (command: string) => {
    const save = (round: number) =>
      writeFile(join(cwd, 'charge.js'), `exports.default = () => ({ raw: ${round} });`);
    await save(0);
    const watching = startTokenctl(`${command} charge.js --watch`, { cwd, env });
    const isDone = (times: number) => watching.waitFor(new RegExp(`(?:Done in[^]*){${times}}`));
    await isDone(1);
    const times: number[] = [];
    for (let round = 1; round <= 9; round++) {
      // People save when they have seen the result.
      await sleep(400);
      times.push(await timed(() => save(round).then(() => isDone(round + 1))));
    }
    await watching.end();
    return atMost('W2', `${command} --watch: from a save until green or red`, 300, median(times), ' ms');
  };
  return [await measure('reactor test'), await measure('reactor deploy')];
}
