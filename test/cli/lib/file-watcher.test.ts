import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileWatcher } from '../../../src/cli/lib/file-watcher.js';
import { projectDir } from '../../support/project-dir.js';

const { signal } = new AbortController();

/** Returns a watcher that has read the file: the changes of the first wait begin before or after its first reading. */
async function watcherOf(path: string): Promise<FileWatcher> {
  const watcher = new FileWatcher(signal);
  const changes = setInterval(() => void appendFile(path, 'more'), 100);
  await watcher.nextChange([path]);
  clearInterval(changes);
  return watcher;
}

test('a file that changes, appears or disappears ends the wait', async () => {
  const path = join(await projectDir({ 'a.txt': 'one' }), 'a.txt');
  const watcher = await watcherOf(path);
  for (const change of [() => rm(path), () => writeFile(path, 'again'), () => writeFile(path, 'other')]) {
    const changed = watcher.nextChange([path]);
    await change();
    await changed;
  }
});

test('a change between two waits ends the second one', async () => {
  const path = join(await projectDir({ 'a.txt': 'one' }), 'a.txt');
  const watcher = await watcherOf(path);
  await writeFile(path, 'three, longer');
  await watcher.nextChange([path]);
});

test('an abort ends the wait with its reason', async () => {
  const controller = new AbortController();
  const waiting = new FileWatcher(controller.signal).nextChange([]);
  controller.abort(new Error('stop'));
  await expect(waiting).rejects.toThrow('stop');
});
