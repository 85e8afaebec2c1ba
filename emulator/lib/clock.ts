import type { Logger } from './logger.js';
import { formatTimestamp } from './timestamps.js';

/** Cancels a scheduled task. Does nothing after the task has run. */
export type Cancel = () => void;

/**
 * The emulator's clock, in milliseconds since 1970. Everything that expires, repeats or waits uses it, so that moving the
 * clock runs at once whatever becomes due.
 */
export interface Clock {
  now(): number;
  /** `now()` as the API prints it: ISO 8601 with milliseconds, UTC. */
  timestamp(): string;
  /** Like `now()`, but keeps running while the clock is frozen. For rate limits, which must never stop. */
  realNow(): number;
  /** Runs the task when the clock reaches `time`. A task that is already due runs soon, but after this call returns. */
  at(time: number, task: Task): Cancel;
  /** Runs the task every `intervalMs`. A jump of the clock over several intervals runs it once. */
  every(intervalMs: number, task: Task): Cancel;
}

/** May be asynchronous: moving the clock waits for it. */
export type Task = () => void | Promise<void>;

/** The clock of `emulator clock` and `/_emulator/clock`. Each promise resolves when all due tasks have run. */
export interface AdjustableClock extends Clock {
  readonly frozen: boolean;
  /** Difference from the machine's clock, in milliseconds. */
  readonly offset: number;
  set(time: number): Promise<void>;
  advance(ms: number): Promise<void>;
  freeze(): void;
  resume(): Promise<void>;
  /** Returns to the start offset and resumes. */
  reset(): Promise<void>;
  /** What another clock needs to show the same time. */
  readonly setting: ClockSetting;
  /** Shows the time of another clock from now on. */
  adopt(setting: ClockSetting): Promise<void>;
  /** Cancels all tasks. */
  stop(): void;
}

/** How a clock differs from the machine's. */
export interface ClockSetting {
  /** Milliseconds that `realNow` is ahead of the machine's clock, and those it is ahead after a reset. */
  offset: number;
  startOffset: number;
  /** Absent while the clock runs. */
  frozenAt?: number;
}

interface Entry {
  due: number;
  intervalMs?: number;
  task: Task;
}

/** The longest delay of a Node.js timer, in milliseconds. A longer wait uses several timers. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Creates a running clock. @param start its first time; the machine's time by default */
export function createClock(logger: Logger, start?: number): AdjustableClock {
  return new EmulatorClock(logger, start === undefined ? 0 : start - Date.now());
}

class EmulatorClock implements AdjustableClock {
  /** Offset of `realNow` from the machine's clock. Advancing a frozen clock changes it too, so that both advance. */
  #offset: number;
  #frozenAt: number | undefined;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  /** Due tasks run one after another. */
  #running = Promise.resolve();
  readonly #entries = new Set<Entry>();
  readonly #logger: Logger;
  #startOffset: number;

  constructor(logger: Logger, offset: number) {
    this.#logger = logger;
    this.#startOffset = offset;
    this.#offset = offset;
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  get offset(): number {
    return this.now() - Date.now();
  }

  now(): number {
    return this.#frozenAt ?? this.realNow();
  }

  timestamp(): string {
    return formatTimestamp(this.now());
  }

  realNow(): number {
    return Date.now() + this.#offset;
  }

  at(time: number, task: Task): Cancel {
    return this.#add({ due: time, task });
  }

  every(intervalMs: number, task: Task): Cancel {
    return this.#add({ due: this.now() + intervalMs, intervalMs, task });
  }

  set(time: number): Promise<void> {
    this.#offset += time - this.now();
    if (this.frozen) this.#frozenAt = time;
    // After the clock was set back, a repeating task must not wait for its old due time.
    for (const entry of this.#entries) {
      if (entry.intervalMs !== undefined) entry.due = Math.min(entry.due, time + entry.intervalMs);
    }
    return this.#runDue();
  }

  advance(ms: number): Promise<void> {
    return this.set(this.now() + ms);
  }

  freeze(): void {
    this.#frozenAt = this.now();
    clearTimeout(this.#timer);
  }

  resume(): Promise<void> {
    const time = this.now();
    this.#frozenAt = undefined;
    return this.set(time);
  }

  reset(): Promise<void> {
    this.#frozenAt = undefined;
    return this.set(Date.now() + this.#startOffset);
  }

  get setting(): ClockSetting {
    const setting: ClockSetting = { offset: this.#offset, startOffset: this.#startOffset };
    if (this.#frozenAt !== undefined) setting.frozenAt = this.#frozenAt;
    return setting;
  }

  adopt({ offset, startOffset, frozenAt }: ClockSetting): Promise<void> {
    this.#startOffset = startOffset;
    this.#offset = offset;
    this.#frozenAt = frozenAt;
    // Nothing moves; what has become due runs.
    return this.set(this.now());
  }

  stop(): void {
    this.#stopped = true;
    this.#entries.clear();
    clearTimeout(this.#timer);
  }

  #add(entry: Entry): Cancel {
    this.#entries.add(entry);
    this.#wait();
    return () => void this.#entries.delete(entry);
  }

  #earliest(): Entry | undefined {
    let earliest: Entry | undefined;
    for (const entry of this.#entries) if (!earliest || entry.due < earliest.due) earliest = entry;
    return earliest;
  }

  /** Sets the timer for the next due task. */
  #wait(): void {
    clearTimeout(this.#timer);
    const next = this.#earliest();
    if (!next || this.#stopped) return;
    const delay = next.due - this.now();
    // A frozen clock never reaches a later time on its own, but tasks that are already due still run.
    if (this.frozen && delay > 0) return;
    this.#timer = setTimeout(() => void this.#runDue(), Math.min(Math.max(delay, 0), MAX_DELAY_MS));
    this.#timer.unref();
  }

  #runDue(): Promise<void> {
    this.#running = this.#running.then(() => this.#runAllDue());
    return this.#running;
  }

  async #runAllDue(): Promise<void> {
    for (let entry = this.#earliest(); entry && entry.due <= this.now(); entry = this.#earliest()) {
      if (entry.intervalMs === undefined) this.#entries.delete(entry);
      else entry.due = this.now() + entry.intervalMs;
      await this.#run(entry.task);
    }
    this.#wait();
  }

  async #run(task: Task): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.#logger.error('A scheduled task failed', error);
    }
  }
}
