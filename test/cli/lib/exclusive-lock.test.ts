import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Release, takeLock } from '../../../src/cli/lib/exclusive-lock.js';
import { projectDir } from '../../support/project-dir.js';

/** An ID that no process has: the maximum of Linux is smaller. */
const NO_PROCESS = 2 ** 30;

const lockIn = async (): Promise<string> => join(await projectDir({}), 'lock');

test('a lock is held by one at a time, and the other is told by whom', async () => {
  const path = await lockIn();
  const release = (await takeLock(path)) as Release;
  expect(await takeLock(path)).toBe(process.pid);
  await release();
  expect(await takeLock(path)).toBeTypeOf('function');
});

test('the lock of a process that no longer exists is taken over', async () => {
  const path = await lockIn();
  await writeFile(path, String(NO_PROCESS));
  expect(await takeLock(path)).toBeTypeOf('function');
  expect(await readFile(path, 'utf8')).toBe(String(process.pid));
});

test('a lock without a process belongs to one that is about to write it, unless it is old', async () => {
  const path = await lockIn();
  await writeFile(path, '');
  expect(await takeLock(path)).toBe(0);
  await utimes(path, 0, 0);
  expect(await takeLock(path)).toBeTypeOf('function');
});
