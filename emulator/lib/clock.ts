import type { Logger } from './logger.js';
import { type Cancel, type Task, TaskSchedule } from './task-schedule.js';
import { formatTimestamp } from './timestamps.js';

/** The emulator's clock, in milliseconds since 1970. Moving it runs everything that becomes due at once. */
export interface Clock {
  now(): number;
  /** `now()` as the API prints it: ISO 8601 with milliseconds, UTC. */
  timestamp(): string;
  /** Like `now()`, but keeps running while the clock is frozen. For rate limits, which must never stop. */
  realNow(): number;
  /** Runs the task when the clock reaches `time`. A task that is already due runs soon, but after this call returns. */
  at(time: number, task: Task): Cancel;
  /** Returns when a task was due if the clock was moved past it, so that a chain of retries is due as a whole; else now. */
  countFrom(due: number): number;
  /** Runs the task every `intervalMs`, and once whenever the clock is moved. */
  every(intervalMs: number, task: Task): Cancel;
}

/** The time that a clock adds its offset to: that of the machine, or of the clock that it follows. */
type TimeSource = Pick<AdjustableClock, 'now' | 'realNow' | 'frozen' | 'offset'>;

const MACHINE: TimeSource = { now: () => Date.now(), realNow: () => Date.now(), frozen: false, offset: 0 };

export interface ClockSetting {
  /** Milliseconds that `realNow` is ahead of the machine's clock, or of the clock that is followed, and those after a reset. */
  offset: number;
  startOffset: number;
  /** Absent while the clock runs. */
  frozenAt?: number;
}

/** Creates a running clock. @param start its first time; the machine's time by default */
export function createClock(logger: Logger, start?: number): AdjustableClock {
  return new AdjustableClock(logger, MACHINE, start === undefined ? 0 : start - Date.now());
}

/** The clock of `emulator clock` and `/_emulator/clock`. Each promise resolves when all due tasks have run. */
export class AdjustableClock implements Clock {
  /** Offset of `realNow` from the source. Advancing a frozen clock changes it too, so that both advance. */
  #offset: number;
  #frozenAt: number | undefined;
  /** The times before and after the last move forward. */
  #lastJump = { from: 0, to: 0 };
  readonly #tasks: TaskSchedule;
  readonly #followers = new Set<AdjustableClock>();
  #startOffset: number;

  constructor(
    private readonly logger: Logger,
    private readonly source: TimeSource,
    offset: number,
    private readonly onStop: (clock: AdjustableClock) => void = () => {},
  ) {
    this.#startOffset = offset;
    this.#offset = offset;
    this.#tasks = new TaskSchedule(this, logger);
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined || this.source.frozen;
  }

  /** Difference from the machine's clock, in milliseconds: of one reading, so that it is 0 for a clock never moved. */
  get offset(): number {
    return this.#frozenAt === undefined ? this.source.offset + this.#offset : this.#frozenAt - Date.now();
  }

  now(): number {
    return this.#frozenAt ?? this.source.now() + this.#offset;
  }

  timestamp(): string {
    return formatTimestamp(this.now());
  }

  realNow(): number {
    return this.source.realNow() + this.#offset;
  }

  countFrom(due: number): number {
    const { from, to } = this.#lastJump;
    return due >= from && due < to ? due : this.now();
  }

  at(time: number, task: Task): Cancel {
    return this.#tasks.add(time, task);
  }

  every(intervalMs: number, task: Task): Cancel {
    return this.#tasks.add(this.now() + intervalMs, task, intervalMs);
  }

  set(time: number): Promise<void> {
    return this.advance(time - this.now());
  }

  advance(ms: number): Promise<void> {
    const before = this.now();
    this.#offset += ms;
    if (this.#frozenAt !== undefined) this.#frozenAt += ms;
    return this.#afterMove(before);
  }

  freeze(): void {
    this.#frozenAt = this.now();
    this.#tasks.wait();
    for (const follower of this.#followers) follower.#tasks.wait();
  }

  resume(): Promise<void> {
    const time = this.now();
    this.#frozenAt = undefined;
    this.#offset += time - this.now();
    return this.#afterMove(time);
  }

  reset(): Promise<void> {
    this.#frozenAt = undefined;
    return this.advance(this.#startOffset - this.#offset);
  }

  /** What another clock needs to show the same time. */
  get setting(): ClockSetting {
    const setting: ClockSetting = { offset: this.#offset, startOffset: this.#startOffset };
    if (this.#frozenAt !== undefined) setting.frozenAt = this.#frozenAt;
    return setting;
  }

  /** Shows the time of another clock from now on. */
  adopt({ offset, startOffset, frozenAt }: ClockSetting): Promise<void> {
    const before = this.now();
    this.#startOffset = startOffset;
    this.#offset = offset;
    this.#frozenAt = frozenAt;
    return this.#afterMove(before);
  }

  /** Creates a clock that shows the time of this one plus an offset of its own, and stands still when this one is frozen. */
  createFollower(): AdjustableClock {
    const follower = new AdjustableClock(this.logger, this, 0, (clock) => this.#followers.delete(clock));
    this.#followers.add(follower);
    return follower;
  }

  /** Cancels all tasks. A follower no longer follows. */
  stop(): void {
    this.#tasks.stop();
    for (const follower of this.#followers) follower.stop();
    this.onStop(this);
  }

  async #afterMove(before: number): Promise<void> {
    const moved = this.now() - before;
    if (moved > 0) this.#lastJump = { from: before, to: this.now() };
    const followers = [...this.#followers].map((follower) => follower.#afterSourceMoved(moved));
    await Promise.all([this.#tasks.runAfterMove(), ...followers]);
  }

  #afterSourceMoved(moved: number): Promise<void> {
    const now = this.now();
    return this.#afterMove(this.#frozenAt === undefined ? now - moved : now);
  }
}
