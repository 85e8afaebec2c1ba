import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AdjustableClock, createClock } from '../../../emulator/lib/clock.js';

const HOUR = 3_600_000;

const errors: string[] = [];
const logger = { info: () => {}, warn: () => {}, error: (text: string) => void errors.push(text) };
let clock: AdjustableClock;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  errors.length = 0;
  clock = createClock(logger);
});

afterEach(() => {
  clock.stop();
  vi.useRealTimers();
});

/** Names of tasks, in the order in which they ran, with the time of the clock. */
function recorder(of: AdjustableClock = clock) {
  const ran: [string, number][] = [];
  return { ran, task: (name: string) => () => void ran.push([name, of.now()]) };
}

test('a task runs when its time comes, and not if it was cancelled', async () => {
  const { ran, task } = recorder();
  clock.at(2_000, task('b'));
  clock.at(1_000, task('a'));
  clock.at(1_500, task('never'))();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(ran).toEqual([
    ['a', 1_000],
    ['b', 2_000],
  ]);
});

test('a wait that is longer than a timer of Node.js can be is kept', async () => {
  const { ran, task } = recorder();
  const due = 2 ** 31 + HOUR;
  clock.at(due, task('late'));
  await vi.advanceTimersByTimeAsync(2 ** 31);
  expect(ran).toEqual([]);
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(ran).toEqual([['late', due]]);
});

test('moving the clock waits until everything that became due has run, in the order of time', async () => {
  const { ran, task } = recorder();
  clock.at(2 * HOUR, task('second'));
  clock.at(HOUR, async () => {
    await Promise.resolve();
    task('first')();
    clock.at(clock.countFrom(HOUR) + HOUR / 2, task('follows from the first'));
  });
  await clock.advance(3 * HOUR);
  expect(ran.map(([name]) => name)).toEqual(['first', 'follows from the first', 'second']);
});

test('what follows a task counts from when it was due, if the clock was moved past that, and otherwise from now', async () => {
  await clock.set(HOUR);
  await clock.set(10 * HOUR);
  expect(clock.countFrom(2 * HOUR)).toBe(2 * HOUR);
  expect(clock.countFrom(HOUR / 2)).toBe(10 * HOUR);
});

test('a repeating task runs once whenever the clock is moved, however far', async () => {
  const { ran, task } = recorder();
  clock.every(HOUR, task('tick'));
  await clock.advance(10 * HOUR);
  expect(ran).toHaveLength(1);
  await clock.set(0);
  await clock.advance(1);
  expect(ran).toHaveLength(3);
});

test('a task that fails is logged without its message, and the next one runs', async () => {
  const { ran, task } = recorder();
  clock.at(1, () => Promise.reject(new Error('4242424242424242')));
  clock.at(2, task('next'));
  await clock.advance(10);
  expect([errors, ran]).toEqual([['A scheduled task failed'], [['next', 10]]]);
});

test('a frozen clock stands still, runs nothing until it is moved, and goes on from its time', async () => {
  const { ran, task } = recorder();
  clock.at(1_000, task('due'));
  clock.freeze();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([clock.now(), clock.realNow(), ran]).toEqual([0, 5_000, []]);
  await clock.advance(1_000);
  expect(ran).toEqual([['due', 1_000]]);
  await clock.resume();
  await vi.advanceTimersByTimeAsync(500);
  expect(clock.now()).toBe(1_500);
});

test('a frozen clock still runs what is due already', async () => {
  const { ran, task } = recorder();
  clock.freeze();
  clock.at(0, task('due'));
  await vi.advanceTimersByTimeAsync(1);
  expect(ran).toEqual([['due', 0]]);
});

test('a follower stands still while the clock that it follows is frozen', async () => {
  const follower = clock.createFollower();
  clock.freeze();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([follower.now(), follower.frozen]).toEqual([0, true]);
});

test('reset returns to the time at which the clock was started, and lets it run', async () => {
  const started = createClock(logger, 5 * HOUR);
  await started.advance(HOUR);
  started.freeze();
  await started.reset();
  expect([started.now(), started.frozen]).toEqual([5 * HOUR, false]);
});

test('a clock adopts the setting of another one: its time, and whether it stands still', async () => {
  const other = createClock(logger);
  await clock.advance(HOUR);
  clock.freeze();
  await other.adopt(clock.setting);
  expect([other.now(), other.frozen]).toEqual([HOUR, true]);
});

test("the offset is what the clock was moved by, although the machine's clock runs on between two readings", async () => {
  vi.useRealTimers();
  const follower = clock.createFollower();
  const offsets = new Set<number>();
  for (const end = performance.now() + 200; performance.now() < end; ) {
    await clock.advance(HOUR);
    offsets.add(clock.offset - HOUR);
    await clock.reset();
    offsets.add(clock.offset).add(follower.offset);
  }
  expect([...offsets]).toEqual([0]);
});
