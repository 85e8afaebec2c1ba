import type { Logger } from './logger.js';
import { formatTimestamp } from './timestamps.js';

/** Cancels what was scheduled; harmless afterwards. */
export type Cancel = () => void;

/**
 * The emulator's time, in milliseconds since 1970. Everything that expires, repeats or waits asks this clock, so that
 * moving it makes what is due happen at once.
 */
export interface Clock {
  now(): number;
  /** `now()` as the API prints it: ISO 8601 with milliseconds, UTC. */
  timestamp(): string;
  /** `now()`, but it goes on while the clock is frozen: for what must never stand still, such as rate limits. */
  realNow(): number;
  /** Runs the task when the clock reaches `time`; at once, but never before this call returns, when it has. */
  at(time: number, task: Task): Cancel;
  /** Runs the task every `intervalMs`; a jump of the clock over many intervals runs it once. */
  every(intervalMs: number, task: Task): Cancel;
}

/** May be asynchronous: a moved clock answers when it is done. */
export type Task = () => void | Promise<void>;

/** What `emulator clock` and `/_emulator/clock` do. Each answers when everything that is due has run. */
export interface AdjustableClock extends Clock {
  readonly frozen: boolean;
  /** How far it is from the machine's clock, in milliseconds. */
  readonly offset: number;
  set(time: number): Promise<void>;
  advance(ms: number): Promise<void>;
  freeze(): void;
  resume(): Promise<void>;
  /** Back to the time it was created with, running. */
  reset(): Promise<void>;
  /** Nothing runs any more. */
  stop(): void;
}

interface Entry {
  due: number;
  intervalMs?: number;
  task: Task;
}

/** The longest delay that a timer of Node.js takes; a longer wait is made of several. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** @param start the time to begin with, running on from there; the machine's when absent. */
export function createClock(logger: Logger, start?: number): AdjustableClock {
  return new EmulatorClock(logger, start === undefined ? 0 : start - Date.now());
}

class EmulatorClock implements AdjustableClock {
  /** Of the running time. A frozen clock that is advanced takes it along, so that both pass the same time. */
  #offset: number;
  #frozenAt: number | undefined;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  /** Runs of due tasks follow one another. */
  #running = Promise.resolve();
  readonly #entries = new Set<Entry>();
  readonly #logger: Logger;
  readonly #startOffset: number;

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
    // Set back, a repeating task must not wait for the time it was due before.
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

  /** Sets the machine's timer for what is due next. */
  #wait(): void {
    clearTimeout(this.#timer);
    const next = this.#earliest();
    if (!next || this.#stopped) return;
    const delay = next.due - this.now();
    // A frozen clock reaches nothing by itself; what it has reached already runs all the same.
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
