import { describe, expect, test } from 'vitest';
import { createClock } from '../../../emulator/lib/clock.js';
import { createLogger } from '../../../emulator/lib/logger.js';

const START = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;

function clockWithLog() {
  const errors: string[] = [];
  const clock = createClock(
    createLogger((line) => errors.push(line)),
    START,
  );
  clock.freeze();
  return { clock, errors };
}

describe('the emulator clock', () => {
  test('due tasks run in order before the change of the clock is acknowledged', async () => {
    const { clock } = clockWithLog();
    const done: string[] = [];
    clock.at(clock.now() + 2 * MINUTE, async () => void done.push('second'));
    clock.at(clock.now() + MINUTE, () => void done.push('first'));
    clock.at(clock.now() + 4 * MINUTE, () => void done.push('later'));
    await clock.advance(3 * MINUTE);
    expect(done).toEqual(['first', 'second']);
  });

  test('a jump over many intervals runs a repeating task once and keeps it scheduled', async () => {
    const { clock } = clockWithLog();
    let runs = 0;
    clock.every(MINUTE, () => void runs++);
    await clock.advance(100 * MINUTE);
    expect(runs).toBe(1);
    await clock.advance(MINUTE);
    expect(runs).toBe(2);
  });

  test('a repeating task does not wait for the old time after the clock is set back', async () => {
    const { clock } = clockWithLog();
    let runs = 0;
    clock.every(MINUTE, () => void runs++);
    await clock.set(START - 1_000 * MINUTE);
    await clock.advance(MINUTE);
    expect(runs).toBe(1);
  });

  test('a cancelled task does not run; a task may schedule another one', async () => {
    const { clock } = clockWithLog();
    const done: string[] = [];
    const cancel = clock.at(START + MINUTE, () => void done.push('cancelled'));
    clock.at(START + MINUTE, () => void clock.at(START + 2 * MINUTE, () => void done.push('chained')));
    cancel();
    await clock.advance(3 * MINUTE);
    expect(done).toEqual(['chained']);
  });

  test('a task that fails does not prevent others, and its message is not logged', async () => {
    const { clock, errors } = clockWithLog();
    let ran = false;
    clock.at(START, () => {
      throw new Error('4242424242424242');
    });
    clock.at(START + MINUTE, () => {
      ran = true;
    });
    await clock.advance(MINUTE);
    expect(ran).toBe(true);
    expect(errors.join()).toContain('A scheduled task failed');
    expect(errors.join()).not.toContain('4242');
  });

  test('a frozen clock stops; after a resume it continues from the same time', async () => {
    const { clock } = clockWithLog();
    const time = clock.now();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(clock.now()).toBe(time);
    await clock.resume();
    expect(clock.frozen).toBe(false);
    expect(clock.now() - time).toBeLessThan(MINUTE);
  });

  test('tasks run by the timers of the machine if the clock is not moved', async () => {
    const clock = createClock(createLogger(() => {}));
    await new Promise<void>((resolve) => clock.at(clock.now() + 5, resolve));
    clock.stop();
  });
});
