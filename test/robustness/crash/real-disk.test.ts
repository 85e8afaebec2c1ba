import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { call } from '../../support/call.js';
import { cleanEnvironment, EXECUTABLE, projectDir, startTokenctl } from '../../support/executable.js';
import { width } from '../../support/width.js';
import { HAS_EATMYDATA, HAS_EXT4, RealDisk } from './real-disk.js';

const TOKENS = Array.from({ length: 8 }, (_, number) => `token-${number}`);
const START = ['emulator', 'start', '--port', '0', '--json', '--data-dir'];

/** The line of an emulator that is ready; there may be others before it. */
const READY = /^\{"event":"ready".*\}$/m;

/** Faults of a system call, as strace names them. */
const FAULTS = [
  'fdatasync:signal=KILL',
  'fdatasync:error=EIO',
  'pwrite64:signal=KILL',
  'pwrite64:error=ENOSPC',
  'rename:error=EIO',
  'fsync:error=EIO',
];

/** Starts the executable under strace, with a fault. @returns what it prints when it is ready, unless it ends before */
async function startTraced(cwd: string, dataDir: string, inject: string[], wrapper: string[]) {
  const trace = ['-f', '-s', '0', '-o', 'trace', '-e', 'trace=fdatasync,fsync,pwrite64,rename', ...inject];
  const command = [...wrapper, process.execPath, EXECUTABLE, ...START, dataDir];
  const child = spawn('strace', [...trace, ...command], {
    cwd,
    // strace numbers the calls of each thread.
    env: { ...cleanEnvironment(cwd), UV_THREADPOOL_SIZE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const [line] = await Promise.race([once(child.stdout, 'data'), ended.then(() => [])]);
  return { ended, ready: line === undefined ? undefined : JSON.parse(String(line).split('\n')[0] ?? '') };
}

async function createTokens({ base_url: url, keys }: { base_url: string; keys: never }): Promise<string[]> {
  const acknowledged: string[] = [];
  for (const id of TOKENS) {
    const body = { id, type: 'token', data: id };
    const answer = await call({ url, keys, controlToken: '' }, 'POST', '/tokens', { body }).catch(
      () => undefined,
    );
    if (answer?.status === 201) acknowledged.push(id);
  }
  return acknowledged;
}

/** Starts the executable on what is left. @returns the ids of the tokens that it serves */
async function findTokens(cwd: string, dataDir: string): Promise<string[]> {
  const next = startTokenctl([...START, dataDir], { cwd });
  await next.waitFor(READY);
  const { base_url: url, keys } = JSON.parse(READY.exec(next.printed())?.[0] ?? '');
  const found: string[] = [];
  for (const id of TOKENS) {
    const { status, body } = await call({ url, keys, controlToken: '' }, 'GET', `/tokens/${id}`);
    if (status === 200 && body.data === id) found.push(id);
  }
  await next.end('SIGKILL');
  return found;
}

/** Creates tokens, kills the emulator if the fault has not, cuts the power, and starts it again. */
async function createAndCutPower(fault: string[] = [], wrapper: string[] = []) {
  const cwd = await projectDir({});
  const disk = new RealDisk();
  onTestFinished(() => disk.remove());
  const dataDir = join(disk.path, 'data');
  const inject = fault.flatMap((one) => ['-e', `inject=${one}`]);
  const { ended, ready } = await startTraced(cwd, dataDir, inject, wrapper);
  const acknowledged = ready === undefined ? [] : await createTokens(ready);
  try {
    if (ready !== undefined) process.kill(ready.pid, 'SIGKILL');
  } catch {
    // The fault has ended it.
  }
  await ended;
  disk.cutPower();
  const found = await findTokens(cwd, dataDir);
  disk.remove();
  return { acknowledged, found, trace: await readFile(join(cwd, 'trace'), 'utf8') };
}

// Fault: commit, start | system call fails or kills, then power cut (ext4) | disk
test.runIf(HAS_EXT4)(
  'what the executable acknowledged is on ext4 after a fault of a system call and a power cut (needs strace and mount)',
  async () => {
    const { acknowledged, found, trace } = await createAndCutPower();
    expect({ acknowledged, found }).toEqual({ acknowledged: TOKENS, found: TOKENS });
    const points = FAULTS.flatMap((fault) => {
      const calls = trace.split('\n').filter((line) => line.includes(` ${fault.replace(/:.*/, '(')}`));
      return calls.map((_, index) => `${fault}:when=${index + 1}`);
    });
    expect(points.length).toBeGreaterThan(3 * TOKENS.length);
    // Every commit takes another one.
    const one = points.slice(Number(process.env.FUZZ_SEED) % points.length).slice(0, 1);
    for (const point of width(one, points)) {
      const faulty = await createAndCutPower([point]);
      expect(faulty.found, point).toEqual(expect.arrayContaining(faulty.acknowledged));
    }
  },
);

test.runIf(HAS_EXT4 && HAS_EATMYDATA)(
  'where syncs do nothing, a power cut takes what was acknowledged: negative control (needs eatmydata)',
  async () => {
    const { acknowledged, found } = await createAndCutPower([], ['eatmydata']);
    expect({ acknowledged, found }).toEqual({ acknowledged: TOKENS, found: [] });
  },
);
