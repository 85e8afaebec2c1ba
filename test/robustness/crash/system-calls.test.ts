import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { cleanEnvironment, EXECUTABLE } from '../../support/executable.js';
import { sampled, width } from '../../support/width.js';

const HAS_STRACE = (() => {
  try {
    return execFileSync('strace', ['--version']).length > 0;
  } catch {
    return false;
  }
})();

/** Calls that the scenario makes of each kind, at most. */
const MAX_CALLS = 40;
/** The distance between the calls that fail. */
const STEP = width(13, 1);

/** What the scenario knows of a token: the values that it may have; undefined for none. */
type Possible = Map<string, (string | undefined)[]>;

interface Started {
  url: string;
  key: string;
  /** Ends the emulator, and resolves when it has ended. */
  end: () => Promise<void>;
}

/** Starts the emulator, under strace if calls are to fail. Resolves to what it printed on stderr if it ended before it was ready. */
async function start(dataDir: string, inject?: string): Promise<Started | string> {
  const command = [process.execPath, EXECUTABLE, 'emulator', 'start', '--port', '0', '--json'];
  const trace = inject
    ? [
        'strace',
        '-f',
        '-qq',
        '-o',
        '/dev/null',
        '-e',
        `trace=${inject.split(':')[0]}`,
        '-e',
        `inject=${inject}`,
      ]
    : [];
  const [program = '', ...args] = [...trace, ...command, '--data-dir', dataDir];
  // One thread makes all calls, so that strace counts them together.
  const env = cleanEnvironment(dataDir, { UV_THREADPOOL_SIZE: '1' });
  const child = spawn(program, args, { env, cwd: dataDir, stdio: ['ignore', 'pipe', 'pipe'] });
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const closed = once(child, 'close');
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), closed]);
  if (typeof line !== 'string') {
    await closed;
    return Buffer.concat(errors).toString();
  }
  const { base_url, keys, pid } = JSON.parse(line);
  const end = async () => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {}
    await closed;
  };
  return { url: base_url, key: keys.private, end };
}

async function call({ url, key }: Started, method: string, path: string, body?: object) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { 'SVC-API-KEY': key, ...(body && { 'content-type': type }) };
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, body: await response.text() };
}

/** Creates, changes and deletes tokens one after another, and returns what they may be then. */
async function runScenario(emulator: Started): Promise<Possible> {
  const possible: Possible = new Map();
  const attempt = async (id: string, value: string | undefined, request: () => ReturnType<typeof call>) => {
    const before = possible.get(id) ?? [undefined];
    possible.set(id, [...before, value]);
    const answer = await request().catch(() => undefined);
    if (answer && answer.status < 300) possible.set(id, [value]);
    // A refused request has no effect.
    else if (answer) possible.set(id, before);
  };
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const create = { id, type: 'token', data: `first of ${id}`, mask: '{{ data }}' };
    await attempt(id, `first of ${id}`, () => call(emulator, 'POST', '/tokens', create));
    await attempt(id, `second of ${id}`, () =>
      call(emulator, 'PATCH', `/tokens/${id}`, { data: `second of ${id}` }),
    );
    if (id > 'c') await attempt(id, undefined, () => call(emulator, 'DELETE', `/tokens/${id}`));
  }
  return possible;
}

/** What happens to a call of the system, in the words of strace. */
const FAULTS = [
  'fdatasync:signal=KILL',
  'pwrite64:signal=KILL',
  'rename:signal=KILL',
  'fdatasync:error=EIO',
  'pwrite64:error=ENOSPC',
  'pwrite64:error=EIO',
  'fsync:error=EIO',
  'rename:error=EIO',
];

it.runIf(HAS_STRACE).each(sampled(FAULTS))(
  'a call of the system that fails or ends the emulator takes nothing acknowledged: %s (needs strace)',
  async (fault) => {
    for (let when = 1; when <= MAX_CALLS; when += STEP) {
      const dataDir = await mkdtemp(join(tmpdir(), 'tokenctl-calls-'));
      onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
      const emulator = await start(dataDir, `${fault}:when=${when}`);
      if (typeof emulator === 'string') {
        expect(emulator, `${fault}:when=${when}`).not.toMatch(/bug in tokenctl| at .*\.js:/);
      }
      const possible = typeof emulator === 'string' ? new Map() : await runScenario(emulator);
      if (typeof emulator !== 'string') await emulator.end();
      const next = await start(dataDir);
      if (typeof next === 'string') throw new Error(`${fault}:when=${when}: ${next}`);
      for (const [id, values] of possible) {
        const { status, body } = await call(next, 'GET', `/tokens/${id}`);
        const value = status === 404 ? undefined : JSON.parse(body).data;
        expect(values, `${fault}:when=${when}: ${id}`).toContain(value);
      }
      await next.end();
    }
  },
);
