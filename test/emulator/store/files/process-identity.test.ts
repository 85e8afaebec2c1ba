import { spawn } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { EXECUTABLE, scratchDir, tokenctl } from '../../../support/executable.js';

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

const START = ['emulator', 'start', '--port', '0', '--json', '--data-dir'];

/** Starts an emulator and resolves when it is ready. */
async function startIn(zone: string, dataDir: string) {
  const child = spawn(process.execPath, [EXECUTABLE, ...START, dataDir], {
    cwd: folder,
    env: { ...process.env, HOME: folder, ...environment(zone) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const first = await Promise.race([
    new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(`${data}`))),
    ended,
  ]);
  return {
    ready: JSON.parse(String(first)),
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

test('a start in another time zone does not take the data directory of a running emulator over', async () => {
  const dataDir = join(folder, 'data');
  const first = await startIn('America/New_York', dataDir);
  try {
    const second = await tokenctl([...START, dataDir], { cwd: folder, env: environment('Asia/Tokyo') });
    expect(second.code).not.toBe(0);
    expect(second.stderr).toContain('is in use by process');
    const lock = JSON.parse(await readFile(join(dataDir, 'lock'), 'utf8'));
    expect(lock.process).toBe('ps:Tue Nov 14 22:13:20 2023');
    const response = await fetch(`${first.ready.base_url}/tokens`, {
      headers: { 'svc-api-key': first.ready.keys.private },
    });
    expect(response.status).toBe(200);
  } finally {
    await first.stop();
  }
});
