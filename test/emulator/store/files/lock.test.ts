import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as esbuild from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { acquireLock, claimPath, ownerRecord } from '../../../../emulator/store/files/lock.js';
import { open, temporaryDataDir } from '../../../support/data-dir.js';
import { scratchDir, startEmulatorProcess, tokenctl } from '../../../support/executable.js';
import { width } from '../../../support/width.js';
import { insert, token } from '../contract.js';

const isLinux = process.platform === 'linux';
const canUnshare =
  isLinux &&
  spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true'], { stdio: 'ignore' }).status === 0;

async function emptyDataDir(): Promise<string> {
  const dataDir = await temporaryDataDir();
  await mkdir(dataDir, { recursive: true });
  return dataDir;
}

async function lockedBy(owner: object): Promise<string> {
  const dataDir = await emptyDataDir();
  await writeFile(join(dataDir, 'lock'), JSON.stringify(owner));
  return dataDir;
}

function hold(dataDir: string, purpose: string): void {
  onTestFinished(acquireLock(dataDir, purpose).release);
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0']);
  await new Promise((resolve) => child.on('close', resolve));
  return child.pid ?? 0;
}

async function age(path: string, seconds: number): Promise<void> {
  const time = new Date(Date.now() - seconds * 1000);
  await utimes(path, time, time);
}

const here = (purpose: string) => JSON.parse(ownerRecord(purpose));

const elsewhere = () => ({ ...here('elsewhere'), pidNamespace: 'pid:[1]', host: 'container' });

function replaceInSystem(functions: Partial<typeof fs>): void {
  const originals = Object.fromEntries(
    Object.keys(functions).map((name) => [name, fs[name as keyof typeof fs]]),
  );
  const replace = (all: Partial<typeof fs>) => {
    Object.assign(fs, all);
    syncBuiltinESMExports();
  };
  replace(functions);
  onTestFinished(() => replace(originals));
}

function systemError(code: string, message = code): never {
  throw Object.assign(new Error(message), { code });
}

/** Lets the system refuse to open a lock that was written. */
function refuseToOpen(): void {
  const { openSync } = fs;
  const open: typeof openSync = (path, flags, mode) =>
    flags === 'r+' ? systemError('EMFILE', 'too many open files') : openSync(path, flags, mode);
  replaceInSystem({ openSync: open });
}

it('the lock of a data directory is removed when it cannot be held: it would refuse every other start', async () => {
  const dataDir = await emptyDataDir();
  refuseToOpen();
  expect(() => acquireLock(dataDir, 'a test')).toThrow('too many open files');
  expect(await readdir(dataDir)).toEqual([]);
});

it('the lock of a data directory names the owner while that process runs', async () => {
  const dataDir = await emptyDataDir();
  const lock = acquireLock(dataDir, 'a test');
  expect(() => acquireLock(dataDir, 'another')).toThrow(
    new RegExp(`in use by process ${process.pid} \\(a test\\)`),
  );
  lock.release();
  acquireLock(dataDir, 'another').release();
  expect(await readdir(dataDir)).toEqual([]);
});

it('the lock of a data directory has one owner where the file system has no hard links', async () => {
  replaceInSystem({ linkSync: () => systemError('EPERM') });
  const dataDir = await lockedBy({ ...here('dead'), pid: await deadPid(), process: 'x' });
  hold(dataDir, 'a test');
  expect(() => acquireLock(dataDir, 'another')).toThrow(/in use by process \d+ \(a test\)/);
  expect(await readdir(dataDir)).toEqual(['lock']);
});

it('the lock of a data directory of a dead process is taken over', async () => {
  const dataDir = await lockedBy({ ...here('dead'), pid: await deadPid(), process: 'x' });
  hold(dataDir, 'the next');
  expect(JSON.parse(await readFile(join(dataDir, 'lock'), 'utf8'))).toMatchObject({ purpose: 'the next' });
  expect(await readdir(dataDir)).toEqual(['lock']);
});

it.runIf(isLinux)(
  'the lock of a data directory of a dead process whose pid another has now is taken over',
  async () => {
    hold(await lockedBy({ ...here('dead'), process: 'boot/1' }), 'the next');
  },
);

// Fault: lock | file cut; owner gone or suspended; many want it | disk
it('the lock of a data directory that was cut off while it was written is taken over', async () => {
  const dataDir = await emptyDataDir();
  await writeFile(join(dataDir, 'lock'), '{"pid":1');
  hold(dataDir, 'the next');
});

describe('the lock of a process in another container or on another machine', () => {
  it.each([
    ['PID namespace', { pidNamespace: 'pid:[1]' }],
    ['boot', { boot: 'another' }],
    ['host', { host: 'another' }],
  ])('is refused although its process id means nothing here: another %s', async (_, place) => {
    const owner = { ...elsewhere(), pidNamespace: elsewhere().pidNamespace, ...place, pid: await deadPid() };
    const dataDir = await lockedBy(owner);
    expect(() => acquireLock(dataDir, 'the next')).toThrow(
      expect.objectContaining({
        code: 'data_dir_locked',
        message: expect.stringMatching(
          /in use by process \d+ \(elsewhere\) of another container or machine, host (container|another), since .*30 seconds.*Delete .*lock if it has certainly ended\.$/,
        ),
      }),
    );
    expect(await readdir(dataDir)).toEqual(['lock']);
  });

  it('is taken over after 30 seconds without a sign of life, even if a process here has that id', async () => {
    const dataDir = await lockedBy({ ...elsewhere(), process: '', pid: process.pid });
    await age(join(dataDir, 'lock'), 25);
    expect(() => acquireLock(dataDir, 'the next')).toThrow(/in use/);
    await age(join(dataDir, 'lock'), 31);
    hold(dataDir, 'the next');
  });

  it('is kept by signs of life, every two seconds', async () => {
    const dataDir = await emptyDataDir();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    hold(dataDir, 'a test');
    const path = join(dataDir, 'lock');
    const text = await readFile(path, 'utf8');
    await age(path, 100);
    vi.advanceTimersByTime(2000);
    expect(Date.now() - (await stat(path)).mtimeMs).toBeLessThan(60_000);
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(JSON.parse(text)).toMatchObject({ host: hostname() });
  });
});

describe('an owner whose lock was taken over while it was suspended', () => {
  it('writes nothing more, and leaves the new lock', async () => {
    const dataDir = await temporaryDataDir();
    const store = await open(dataDir);
    await insert(store, token('a'));
    const path = join(dataDir, 'lock');
    await rm(path);
    hold(dataDir, 'the next');
    const journal = join(dataDir, 'journal', '00000001.jsonl');
    const before = await readFile(journal, 'utf8');
    const later = Date.now() + 60_000;
    vi.spyOn(Date, 'now').mockImplementation(() => later);
    onTestFinished(() => void vi.restoreAllMocks());
    await expect(insert(store, token('b'))).rejects.toMatchObject({ name: 'StorageError' });
    await store.close();
    expect(await readFile(journal, 'utf8')).toBe(before);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ purpose: 'the next' });
  });
});

const LOCK = JSON.stringify(
  fileURLToPath(new URL('../../../../emulator/store/files/lock.ts', import.meta.url)),
);

/** Prints `ready`, then for each line, which names a data directory, whether it got the lock. */
const CONTENDER = `
import { createInterface } from 'node:readline';
import { acquireLock } from ${LOCK};
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  try {
    acquireLock(line, 'contender');
    console.log('won');
  } catch (error) {
    console.log(error.code === 'data_dir_locked' ? 'refused ' + error.message : 'failed ' + error.stack);
  }
}
process.exit();
`;

const GO = 1;
const DEAD = 2;
/** The process ids that contenders in one process take for their own begin here, above those of Linux. */
const FIRST_PID = 5_000_000;

/** Acquires and releases a lock as a process of its own would, and asks before each step in the file system. */
const STEPPING_CONTENDER = `
import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { acquireLock } from ${LOCK};
const { at, states } = workerData;
Object.defineProperty(process, 'pid', { value: ${FIRST_PID} + at });
process.kill = (pid) => {
  if (states[pid - ${FIRST_PID}] === undefined || states[pid - ${FIRST_PID}] === ${DEAD})
    throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
};
globalThis.setInterval = () => ({ unref: () => {} });
let dataDir, lock;
const assertAlive = () => {
  if (states[at] === ${DEAD}) throw new Error('killed');
};
for (const name of ['writeFileSync', 'linkSync', 'rmSync', 'readFileSync', 'statSync', 'renameSync', 'openSync']) {
  const call = fs[name];
  fs[name] = (path, ...args) => {
    if (!String(path).startsWith(dataDir)) return call(path, ...args);
    assertAlive();
    parentPort.postMessage({ step: name });
    // The notification of the step before may come this late: only the state says that the step may be taken.
    while (Atomics.load(states, at) === 0) Atomics.wait(states, at, 0);
    assertAlive();
    Atomics.store(states, at, 0);
    return call(path, ...args);
  };
}
parentPort.on('message', (wanted) => {
  let result = 'released';
  try {
    if (wanted === 'release') lock.release();
    else {
      dataDir = wanted;
      lock = acquireLock(dataDir, 'contender');
      result = 'won';
    }
  } catch (error) {
    result = states[at] === ${DEAD} ? 'killed' : error.code === 'data_dir_locked' ? 'refused' : error.stack;
  }
  parentPort.postMessage({ result });
});
`;

async function bundle(contents: string, format: 'esm' | 'cjs'): Promise<string> {
  const stdin = { contents, resolveDir: process.cwd(), loader: 'ts' as const };
  const built = await esbuild.build({ stdin, bundle: true, platform: 'node', format, write: false });
  return built.outputFiles[0]?.text ?? '';
}

/** Leaves the lock of a process that is gone in a directory, and of others that were about to take over one another's claim. */
async function leaveStale(dataDir: string, pid: number, claims: number): Promise<void> {
  const path = join(dataDir, 'lock');
  const gone = (id: string) => JSON.stringify({ ...here('dead'), process: '', pid, id });
  let text = gone('lock');
  await writeFile(path, text);
  for (let depth = 0; depth < claims; depth += 1) {
    const claim = claimPath(path, depth, text);
    text = gone(`claim ${depth}`);
    await writeFile(claim, text);
  }
}

const ownerOf = (dataDir: string): unknown => {
  const path = join(dataDir, 'lock');
  return fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, 'utf8')).pid : undefined;
};

describe('a lock that several want, of which some are killed or stall, whatever the order of their steps', () => {
  const [COUNT, LAST] = [3, 3];
  const RESULTS = ['won', 'refused', 'released', 'killed', 'stalled'];
  const states = new Int32Array(new SharedArrayBuffer(4 * (COUNT + 1)));
  const workers: Worker[] = [];
  /** Those that run; the others wait for their next step, or have nothing to do. */
  const busy = new Set<number>();
  const waiting = { resolve: () => {} };
  const idle = async () => {
    if (busy.size > 0) await new Promise<void>((resolve) => void Object.assign(waiting, { resolve }));
  };

  beforeAll(async () => {
    const script = await bundle(STEPPING_CONTENDER, 'cjs');
    for (let at = 0; at <= COUNT; at += 1)
      workers.push(new Worker(script, { eval: true, workerData: { at, states } }));
  });
  afterAll(() => Promise.all(workers.map((worker) => worker.terminate())));

  const resume = (at: number, state = GO) => {
    busy.add(at);
    Atomics.store(states, at, state);
    Atomics.notify(states, at);
  };

  /** Lets a contender do something. @param step is called before each step @returns its result */
  function perform(at: number, wanted: string, step: (name: string) => void): Promise<string> {
    busy.add(at);
    return new Promise((resolve) => {
      const listen = (message: { step: string } | { result: string }) => {
        busy.delete(at);
        if ('step' in message) step(message.step);
        else {
          workers[at]?.off('message', listen);
          resolve(message.result);
        }
        if (busy.size === 0) waiting.resolve();
      };
      workers[at]?.on('message', listen).postMessage(wanted);
    });
  }

  // Fault: lock | steps in any order, with kills and stalls | disk
  it('one at a time holds it, one gets it if nothing befalls them, and the next in the end', async () => {
    const act = async (release: () => Promise<unknown>) => {
      await release();
      await new Promise(setImmediate);
      await idle();
    };
    /** After how many steps a contender is killed, or waits for its file system until the others are done. */
    const end = fc.record({ after: fc.nat({ max: 14 }), isKill: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler({ act }),
        fc.array(fc.option(end, { freq: 2 }), { minLength: COUNT, maxLength: COUNT }),
        fc.integer({ min: -1, max: 2 }),
        async (scheduler, ends, claims) => {
          const dataDir = await emptyDataDir();
          if (claims >= 0) await leaveStale(dataDir, FIRST_PID + 99, claims);
          states.fill(0);
          const holders = new Set<number>();
          const results: string[] = [];
          const stalled = new Map<number, Promise<string>>();
          const contend = async (at: number) => {
            let steps = 0;
            let stall = () => {};
            const untilStalled = new Promise<string>((resolve) => {
              stall = () => resolve('stalled');
            });
            const step = async (name: string) => {
              await scheduler.schedule(Promise.resolve(), `${at} ${name}`);
              steps += 1;
              const { after, isKill } = ends[at] ?? { after: Number.POSITIVE_INFINITY };
              if (steps <= after) return resume(at);
              if (!isKill) return stall();
              holders.delete(at);
              resume(at, DEAD);
            };
            const act = async (wanted: string) => {
              const done = perform(at, wanted, (name) => void step(name));
              const result = await Promise.race([done, untilStalled]);
              if (result === 'stalled') stalled.set(at, done);
              results.push(result);
              return result;
            };
            if ((await act(dataDir)) !== 'won') return;
            holders.add(at);
            if (holders.size > 1) results.push(`${[...holders].join(' and ')} hold it`);
            await scheduler.schedule(Promise.resolve(), `${at} holds it`);
            holders.delete(at);
            await act('release');
          };
          const contention = Promise.all(ends.map((_, at) => contend(at)));
          const lastContends = () => perform(LAST, dataDir, () => resume(LAST));
          const killStalled = () => {
            for (const at of stalled.keys()) resume(at, DEAD);
            return Promise.all(stalled.values());
          };
          try {
            await idle();
            await scheduler.waitFor(contention);
            expect(results.filter((one) => !RESULTS.includes(one))).toEqual([]);
            if (ends.every((one) => one === null)) expect(results).toContain('won');
            const isStalledOwner = [...stalled.keys()].some((at) => ownerOf(dataDir) === FIRST_PID + at);
            if (isStalledOwner) expect(await lastContends()).toBe('refused');
          } finally {
            // They would not take part in the next run, which is that of a smaller counterexample.
            await killStalled();
          }
          expect(await lastContends()).toBe('won');
          await perform(LAST, 'release', () => resume(LAST));
          const left = await readdir(dataDir);
          expect(ends.some((one) => one !== null) ? left.filter((name) => name === 'lock') : left).toEqual(
            [],
          );
          await rm(dataDir, { recursive: true });
        },
      ),
      { numRuns: width(100, 5_000) },
    );
  });
});

describe('processes that want the same lock', () => {
  let script: string;

  beforeAll(async () => {
    script = await bundle(CONTENDER, 'esm');
  });

  async function contender(...command: string[]): Promise<{ child: ChildProcess; next(): Promise<string> }> {
    const [file = '', ...args] = [...command, process.execPath, '--input-type=module', '-e', script];
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.stdin.end());
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => String((await lines.next()).value);
    expect(await next()).toBe('ready');
    return { child, next };
  }

  it.runIf(canUnshare)('in two PID namespaces: the second is refused', async () => {
    const dataDir = await emptyDataDir();
    const namespace = ['unshare', '--pid', '--fork', '--mount-proc'];
    const owner = await contender(...namespace);
    const second = await contender(...namespace);
    owner.child.stdin?.write(`${dataDir}\n`);
    expect(await owner.next()).toBe('won');
    second.child.stdin?.write(`${dataDir}\n`);
    expect(await second.next()).toMatch(/^refused .*of another container or machine/);
    expect(() => acquireLock(dataDir, 'the host')).toThrow(/of another container or machine/);
  });

  it.runIf(canUnshare)('in two PID namespaces that see the same /proc: the second is refused', async () => {
    const dataDir = await emptyDataDir();
    const owner = await contender('unshare', '--pid', '--fork');
    owner.child.stdin?.write(`${dataDir}\n`);
    expect(await owner.next()).toBe('won');
    const second = await contender('unshare', '--pid', '--fork');
    second.child.stdin?.write(`${dataDir}\n`);
    expect(await second.next()).toMatch(/^refused .*of another container or machine/);
  });
});

const folder = scratchDir({
  // Prints one start time in the zone of its environment, as `ps -o lstart=` of macOS does.
  ps: '#!/bin/sh\nexec date -d @1700000000 "+%a %b %e %T %Y"\n',
  'darwin.cjs': "Object.defineProperty(process, 'platform', { value: 'darwin' });\n",
});
beforeAll(() => chmod(join(folder, 'ps'), 0o755));

/** The environment of a process that takes its system for macOS, in a time zone. */
const environment = (zone: string) => ({
  PATH: `${folder}${delimiter}${process.env.PATH}`,
  NODE_OPTIONS: `--require ${join(folder, 'darwin.cjs')}`,
  TZ: zone,
});

test('a start in another time zone does not take the data directory of a running emulator over', async () => {
  const dataDir = join(folder, 'data');
  const flags = ['--data-dir', dataDir];
  const first = await startEmulatorProcess(flags, { cwd: folder, env: environment('America/New_York') });
  const second = await tokenctl(['emulator', 'start', '--port', '0', ...flags], {
    cwd: folder,
    env: environment('Asia/Tokyo'),
  });
  expect(second.code).not.toBe(0);
  expect(second.stderr).toContain('is in use by process');
  const lock = JSON.parse(await readFile(join(dataDir, 'lock'), 'utf8'));
  expect(lock.process).toBe('ps:Tue Nov 14 22:13:20 2023');
  const headers = { 'svc-api-key': first.keys.private };
  expect((await fetch(`${first.base_url}/tokens`, { headers })).status).toBe(200);
  await first.end('SIGTERM');
});
