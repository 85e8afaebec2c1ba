import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileWatcher } from '../../../src/cli/lib/file-watcher.js';
import { projectDir } from '../../support/project-dir.js';

const { signal } = new AbortController();

/** Waits for a change that happens after the watcher has read the files for the first time. */
async function waitForChange(
  watcher: FileWatcher,
  paths: string[],
  change: () => Promise<void>,
): Promise<void> {
  const changed = watcher.nextChange(paths);
  setTimeout(() => void change(), 100);
  await changed;
}

test('a file that changes, appears or disappears ends the wait', async () => {
  const path = join(await projectDir({ 'a.txt': 'one' }), 'a.txt');
  const watcher = new FileWatcher(signal);
  await waitForChange(watcher, [path], () => writeFile(path, 'other'));
  await waitForChange(watcher, [path], () => rm(path));
  await waitForChange(watcher, [path], () => writeFile(path, 'again'));
});

test('a change between two waits ends the second one', async () => {
  const path = join(await projectDir({ 'a.txt': 'one' }), 'a.txt');
  const watcher = new FileWatcher(signal);
  await waitForChange(watcher, [path], () => writeFile(path, 'two'));
  await writeFile(path, 'three, longer');
  await watcher.nextChange([path]);
});

test('an abort ends the wait with its reason', async () => {
  const controller = new AbortController();
  const waiting = new FileWatcher(controller.signal).nextChange([]);
  controller.abort(new Error('stop'));
  await expect(waiting).rejects.toThrow('stop');
});
