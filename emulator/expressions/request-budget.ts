import type { Json } from '../../src/contract/json.js';
import type { MaybePromise } from '../lib/maybe-promise.js';
import { nextTurn } from '../lib/turns.js';
import { EvaluationBudget, type EvaluationLimits, memoryExceeded, timeExceeded } from './budget.js';
import { BudgetExceededError, ExpressionError, type ExpressionFailure } from './errors.js';
import { type EvaluationEnd, evaluationPool } from './evaluation-pool.js';
import { MAIN_THREAD_SLICE_MS, MAX_EVALUATION_MS, MAX_LIGHT_MS, MAX_OUTPUT_LENGTH } from './limits.js';
import { isLight, runTask, type Task } from './task.js';

/** The budget of one request (decisions.md, "Expressions"). Heavy evaluations run in a thread of their own. */
export class RequestBudget {
  #timeMs = MAX_EVALUATION_MS;
  #outputLength = MAX_OUTPUT_LENGTH;
  /** Time on the main thread since other requests had their turn. */
  #sliceMs = 0;

  /**
   * @param now the emulator's time, in milliseconds since 1970
   * @param tenantId whose evaluations take turns with those of others
   */
  constructor(
    readonly now: number,
    private readonly tenantId = '',
  ) {}

  /** No further expression of the request can be evaluated. */
  get isUsedUp(): boolean {
    return this.#timeMs <= 0 || this.#outputLength < 0;
  }

  /** Evaluates every string of a structure, or one text. @param path prefix of the paths in errors */
  evaluate(value: Json, scope: Readonly<Record<string, unknown>>, path: string) {
    return this.run({ kind: 'structure', value, scope, path });
  }

  run(task: Task): MaybePromise<Json | undefined> {
    const startedAt = performance.now();
    const light = isLight(task);
    if (light && this.#sliceMs < MAIN_THREAD_SLICE_MS) return this.#runHere(task, startedAt);
    this.#sliceMs += performance.now() - startedAt;
    return light ? this.#runInNextTurn(task) : this.#runInThread(task);
  }

  #runHere(task: Task, startedAt: number): Json | undefined {
    const budget = new EvaluationBudget(this.#limits(task), 'light');
    try {
      return runTask(task, budget);
    } finally {
      const elapsed = performance.now() - startedAt;
      this.#timeMs -= Math.min(elapsed, MAX_LIGHT_MS);
      this.#sliceMs += elapsed;
      this.#outputLength = budget.outputLeft;
    }
  }

  async #runInNextTurn(task: Task): Promise<Json | undefined> {
    await nextTurn();
    this.#sliceMs = 0;
    return this.#runHere(task, performance.now());
  }

  async #runInThread(task: Task): Promise<Json | undefined> {
    const end = await evaluationPool.run(task, this.#limits(task), this.tenantId);
    this.#sliceMs = 0;
    if ('timeMs' in end) this.#timeMs -= end.timeMs;
    if (end.kind === 'errors' && !end.exceeded) throw new ExpressionError(end.errors);
    if (end.kind !== 'result') throw this.#exceeded(task, end);
    this.#outputLength = end.outputLeft;
    return end.json === undefined ? undefined : (JSON.parse(end.json) as Json);
  }

  #limits(task: Task): EvaluationLimits {
    if (this.#timeMs <= 0) throw failureOf(task, timeExceeded());
    return { now: this.now, timeMs: this.#timeMs, outputLength: this.#outputLength };
  }

  #exceeded(task: Task, end: EvaluationEnd): Error {
    this.#timeMs = 0;
    if (end.kind === 'errors') return new BudgetExceededError(end.errors);
    if (end.kind === 'overdue') return failureOf(task, timeExceeded());
    if (end.kind === 'out-of-memory') return failureOf(task, memoryExceeded());
    return new Error(
      `The evaluation thread ended unexpectedly: ${'message' in end ? end.message : end.kind}`,
    );
  }
}

function failureOf({ path }: Task, failure: ExpressionFailure): BudgetExceededError {
  return new BudgetExceededError({ [path || 'body']: [failure.message] });
}
