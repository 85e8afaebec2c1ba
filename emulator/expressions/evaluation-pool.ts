import { jsonLength } from '../lib/json-bounds.js';
import type { EvaluationLimits } from './budget.js';
import { EvaluationBusyError } from './errors.js';
import { type EvaluationEnd, EvaluationThread } from './evaluation-thread.js';
import { EVALUATION_THREADS, IDLE_THREAD_MS, MAX_WAITING_EVALUATIONS, MAX_WAITING_LENGTH } from './limits.js';
import { inputOf, type Task } from './task.js';

/**
 * The threads that evaluate expressions. They hold nothing between two evaluations, so that all emulators of a process
 * share them; they start on demand and end when unused.
 */
class EvaluationPool {
  readonly #idle: EvaluationThread[] = [];
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #waitingLength = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Runs an evaluation in a thread. @throws EvaluationBusyError when too many are waiting */
  async run(task: Task, limits: EvaluationLimits): Promise<EvaluationEnd> {
    await this.#acquire(task);
    const thread = this.#takeThread();
    try {
      // Not before there is a thread, so that waiting takes no memory for a copy.
      return await thread.evaluate({ task: JSON.stringify(task), limits });
    } finally {
      if (thread.isAlive) this.#idle.push(thread);
      this.#release();
    }
  }

  #takeThread(): EvaluationThread {
    for (let thread = this.#idle.pop(); thread; thread = this.#idle.pop()) if (thread.isAlive) return thread;
    return new EvaluationThread();
  }

  async #acquire(task: Task): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#busy < EVALUATION_THREADS) {
      this.#busy += 1;
      return;
    }
    const length = jsonLength([task.value, inputOf(task)], MAX_WAITING_LENGTH);
    if (
      this.#waiting.length >= MAX_WAITING_EVALUATIONS ||
      this.#waitingLength + length > MAX_WAITING_LENGTH
    ) {
      throw new EvaluationBusyError();
    }
    this.#waitingLength += length;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#waitingLength -= length;
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy -= 1;
    if (this.#busy === 0) this.#timer = setTimeout(() => this.#endIdle(), IDLE_THREAD_MS).unref();
  }

  #endIdle(): void {
    for (const thread of this.#idle.splice(0)) thread.terminate();
  }
}

export const evaluationPool = new EvaluationPool();
