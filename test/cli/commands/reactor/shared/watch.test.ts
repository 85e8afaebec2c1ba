import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FileWatcher } from '../../../../../src/cli/commands/reactor/shared/watch.js';
import { projectDir } from '../../../../support/project-dir.js';

const { signal } = new AbortController();

/** File systems take the times of files from a clock with ticks of up to 10 ms. */
const passClockTick = () => sleep(30);

test('a file that changes, appears or disappears ends the wait', async () => {
  const path = join(await projectDir({ 'a.txt': 'one' }), 'a.txt');
  const watcher = new FileWatcher(signal);
  await passClockTick();
  for (const change of [() => writeFile(path, 'other'), () => rm(path), () => writeFile(path, 'again')]) {
    const changed = watcher.nextChange([path]);
    await change();
    await changed;
  }
});

test('a change before the first wait ends it, and a change between two waits the second one', async () => {
  const path = join(await projectDir({ 'a.txt': 'one' }), 'a.txt');
  await passClockTick();
  const watcher = new FileWatcher(signal);
  for (const text of ['before the first one', 'between them']) {
    await passClockTick();
    await writeFile(path, text);
    await watcher.nextChange([path]);
  }
});

test('an abort ends the wait with its reason', async () => {
  const controller = new AbortController();
  const waiting = new FileWatcher(controller.signal).nextChange([]);
  controller.abort(new Error('stop'));
  await expect(waiting).rejects.toThrow('stop');
});
