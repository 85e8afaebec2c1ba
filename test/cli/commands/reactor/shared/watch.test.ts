import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitForChange } from '../../../../../src/cli/commands/reactor/shared/watch.js';
import { projectDir } from '../../../../support/executable.js';

const { signal } = new AbortController();

/** File systems take the times of files from a clock with ticks of up to 10 ms. */
const passClockTick = () => sleep(30);
const LONGER_THAN_A_POLL = 600;

test('a file that changes, appears or disappears ends the wait', async () => {
  const path = join(await projectDir({ 'a.txt': 'one' }), 'a.txt');
  for (const change of [() => writeFile(path, 'other'), () => rm(path), () => writeFile(path, 'again')]) {
    await passClockTick();
    let isOver = false;
    const changed = waitForChange([path], Date.now(), signal).then(() => {
      isOver = true;
    });
    await sleep(LONGER_THAN_A_POLL);
    expect(isOver).toBe(false);
    await change();
    await changed;
  }
});

test('a change before the wait ends it, if it came after the beginning of the run', async () => {
  const path = join(await projectDir({ 'a.txt': 'one' }), 'a.txt');
  await passClockTick();
  const start = Date.now();
  await passClockTick();
  await writeFile(path, 'during the run');
  await waitForChange([path], start, signal);
});

test('an abort ends the wait with its reason', async () => {
  const controller = new AbortController();
  const waiting = waitForChange([], Date.now(), controller.signal);
  controller.abort(new Error('stop'));
  await expect(waiting).rejects.toThrow('stop');
});
