import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exclusively, type Release, takeLock } from '../../../src/cli/lib/exclusive-lock.js';
import { currentProcess } from '../../../src/contract/process-identity.js';
import { projectDir } from '../../support/executable.js';

/** An ID that no process has: the maximum of Linux is smaller. */
const NO_PROCESS = 2 ** 30;

const lockIn = async (): Promise<string> => join(await projectDir({}), 'lock');

test('a lock is held by one at a time, and the other is told by whom', async () => {
  const path = await lockIn();
  const release = (await takeLock(path)) as Release;
  expect(await takeLock(path)).toMatchObject({ pid: process.pid, since: expect.stringMatching(/Z$/) });
  await release();
  expect(await takeLock(path)).toBeTypeOf('function');
});

test('the lock of a process that no longer exists is taken over', async () => {
  const path = await lockIn();
  await writeFile(path, JSON.stringify({ ...currentProcess(), pid: NO_PROCESS }));
  expect(await takeLock(path)).toBeTypeOf('function');
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid });
});

test('a lock without a process belongs to one that is about to write it, unless it is old', async () => {
  const path = await lockIn();
  await writeFile(path, '');
  expect(await takeLock(path)).toEqual({ pid: 0 });
  await utimes(path, 0, 0);
  expect(await takeLock(path)).toBeTypeOf('function');
});

test('the lock of a process whose id another process has now is taken over, and the error names a holder that runs', async () => {
  const path = await lockIn();
  await takeLock(path);
  const lock = JSON.parse(await readFile(path, 'utf8'));
  const task = () => exclusively(path, { what: 'apply', again: 'apply again' }, async () => 'done');
  await expect(task()).rejects.toMatchObject({
    failure: {
      detail: `Another apply is running (process ${process.pid} since ${lock.since}).`,
      hint: `Wait for it to end, then apply again. If process ${process.pid} is another program, delete ${path}.`,
    },
  });
  const [boot] = lock.process.split('/');
  await writeFile(path, JSON.stringify({ ...lock, process: `${boot}/1` }));
  expect(await task()).toBe('done');
});
