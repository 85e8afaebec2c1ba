import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest';
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

// Fault: lock | cut off, its owner is gone or suspended, many want it | disk
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

/**
 * Prints `ready`, then for each line `<time> <data directory>` waits for the time, and prints whether it got the lock. Random
 * pauses before what it asks of the file system make every order of two processes' steps likely.
 */
const CONTENDER = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createInterface } from 'node:readline';
import { acquireLock } from ${JSON.stringify(
  fileURLToPath(new URL('../../../../emulator/store/files/lock.ts', import.meta.url)),
)};
const pause = new Int32Array(new SharedArrayBuffer(4));
for (const name of ['linkSync', 'rmSync', 'readFileSync', 'statSync', 'renameSync']) {
  const call = fs[name];
  fs[name] = (...args) => {
    Atomics.wait(pause, 0, 0, Math.random() * 4);
    return call(...args);
  };
}
syncBuiltinESMExports();
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [time, dataDir] = line.split(' ');
  while (Date.now() < Number(time));
  try {
    acquireLock(dataDir, 'contender');
    console.log('won');
  } catch (error) {
    console.log(error.code === 'data_dir_locked' ? 'refused ' + error.message : 'failed ' + error.stack);
  }
}
process.exit();
`;

describe('processes that want the same lock', () => {
  let script: string;

  beforeAll(async () => {
    const built = await esbuild.build({
      stdin: { contents: CONTENDER, resolveDir: process.cwd(), loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      write: false,
    });
    script = built.outputFiles[0]?.text ?? '';
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

  const DEAD = { ...here('dead'), process: 'x' };
  it.each([
    ['a stale lock', 0],
    ['a stale lock with a stale claim', 1],
    ['a stale lock with a stale claim and a stale claim to that', 2],
  ])('find %s: exactly one gets it', async (_, claims) => {
    const pid = await deadPid();
    const contenders = await Promise.all(Array.from({ length: 6 }, () => contender()));
    for (let round = 0; round < width(8, 25); round += 1) {
      const dataDir = await lockedBy({ ...DEAD, pid, id: `lock ${round}` });
      const path = join(dataDir, 'lock');
      let text = await readFile(path, 'utf8');
      for (let depth = 0; depth < claims; depth += 1) {
        const claim = claimPath(path, depth, text);
        text = JSON.stringify({ ...DEAD, pid, id: `claim ${depth} ${round}` });
        await writeFile(claim, text);
      }
      const start = Date.now() + 20;
      for (const { child } of contenders) child.stdin?.write(`${start} ${dataDir}\n`);
      const results = await Promise.all(contenders.map(({ next }) => next()));
      expect(results.filter((result) => result === 'won')).toHaveLength(1);
      expect(results.filter((result) => result.startsWith('failed'))).toEqual([]);
      expect((await readdir(dataDir)).filter((name) => name !== 'lock')).toEqual([]);
    }
  });

  it.runIf(canUnshare)('in two PID namespaces: the second is refused', async () => {
    const dataDir = await emptyDataDir();
    const namespace = ['unshare', '--pid', '--fork', '--mount-proc'];
    const owner = await contender(...namespace);
    const second = await contender(...namespace);
    owner.child.stdin?.write(`0 ${dataDir}\n`);
    expect(await owner.next()).toBe('won');
    second.child.stdin?.write(`0 ${dataDir}\n`);
    expect(await second.next()).toMatch(/^refused .*of another container or machine/);
    expect(() => acquireLock(dataDir, 'the host')).toThrow(/of another container or machine/);
  });

  it.runIf(canUnshare)('in two PID namespaces that see the same /proc: the second is refused', async () => {
    const dataDir = await emptyDataDir();
    const owner = await contender('unshare', '--pid', '--fork');
    owner.child.stdin?.write(`0 ${dataDir}\n`);
    expect(await owner.next()).toBe('won');
    const second = await contender('unshare', '--pid', '--fork');
    second.child.stdin?.write(`0 ${dataDir}\n`);
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
