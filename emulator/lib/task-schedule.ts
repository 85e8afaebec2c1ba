import type { Logger } from './logger.js';

/** Cancels a scheduled task. Does nothing after the task has run. */
export type Cancel = () => void;

/** May be asynchronous: moving the clock waits for it. */
export type Task = () => void | Promise<void>;

type Entry = { due: number; intervalMs?: number; task: Task };

/** The longest delay of a Node.js timer, in milliseconds. A longer wait uses several timers. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The tasks of a clock, each with the time at which it is due. */
export class TaskSchedule {
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer ends, by the clock. */
  #timerDue = Number.POSITIVE_INFINITY;
  /** Whether a task was added that is due already, and may come before others that are. */
  #hasNewDue = false;
  /** Due tasks run one after another. */
  #running = Promise.resolve();
  readonly #entries = new Set<Entry>();

  constructor(
    private readonly clock: { now(): number; readonly frozen: boolean },
    private readonly logger: Logger,
  ) {}

  /** @param intervalMs runs the task again and again */
  add(due: number, task: Task, intervalMs?: number): Cancel {
    const entry: Entry = { due, task, ...(intervalMs !== undefined && { intervalMs }) };
    this.#entries.add(entry);
    this.#hasNewDue ||= due <= this.clock.now();
    this.#waitUntil(due);
    return () => void this.#entries.delete(entry);
  }

  wait(): void {
    clearTimeout(this.#timer);
    this.#timerDue = Number.POSITIVE_INFINITY;
    let next = this.#timerDue;
    for (const { due } of this.#entries) next = Math.min(next, due);
    this.#waitUntil(next);
  }

  #waitUntil(due: number): void {
    if (due >= this.#timerDue || this.#stopped) return;
    const delay = due - this.clock.now();
    // A frozen clock never reaches a later time on its own, but tasks that are already due still run.
    if (this.clock.frozen && delay > 0) return;
    clearTimeout(this.#timer);
    this.#timerDue = due;
    this.#timer = setTimeout(() => void this.#runDue(), Math.min(Math.max(delay, 0), MAX_DELAY_MS));
    this.#timer.unref();
  }

  /** Resolves when everything has run that is due at the new time of the clock. */
  runAfterMove(): Promise<void> {
    // Repeating tasks find what the move has made due, and must not wait for a time from before the clock was set back.
    for (const entry of this.#entries)
      if (entry.intervalMs !== undefined) entry.due = Math.min(entry.due, this.clock.now());
    return this.#runDue();
  }

  stop(): void {
    this.#stopped = true;
    this.#entries.clear();
    clearTimeout(this.#timer);
  }

  #runDue(): Promise<void> {
    this.#running = this.#running.then(() => this.#runAllDue());
    return this.#running;
  }

  async #runAllDue(): Promise<void> {
    for (let due = this.#due(); due.length > 0; due = this.#due()) {
      for (const entry of due) {
        // A task may cancel another one, or set the clock back.
        if (!this.#entries.has(entry) || entry.due > this.clock.now()) continue;
        if (entry.intervalMs === undefined) this.#entries.delete(entry);
        else entry.due = this.clock.now() + entry.intervalMs;
        await this.#run(entry.task);
        if (this.#hasNewDue) break;
      }
    }
    this.wait();
  }

  #due(): Entry[] {
    const now = this.clock.now();
    this.#hasNewDue = false;
    return [...this.#entries].filter(({ due }) => due <= now).sort((a, b) => a.due - b.due);
  }

  async #run(task: Task): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.logger.error('A scheduled task failed', error);
    }
  }
}
