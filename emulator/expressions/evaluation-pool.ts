import { Worker } from 'node:worker_threads';
import { packageFile } from '../../src/contract/files.js';
import type { FieldErrors } from '../../src/contract/index.js';
import { FairQueue } from '../lib/fair-queue.js';
import { threadTime } from '../lib/thread-time.js';
import type { EvaluationLimits } from './budget.js';
import { EvaluationBusyError } from './errors.js';
import {
  EVALUATION_GRACE_MS,
  EVALUATION_HEAP_MB,
  EVALUATION_THREADS,
  IDLE_THREAD_MS,
  MAX_INPUT_MS,
  MAX_WAIT_MS,
} from './limits.js';
import type { Task } from './task.js';

/** What the main thread sends to an evaluation thread. Tasks and results are JSON texts, which are cheap to pass on. */
export type EvaluationRequest = { task: string; limits: EvaluationLimits };

export type EvaluationReply =
  /** The input is read; the evaluation begins. */
  | { kind: 'started'; thread: string | undefined }
  | { kind: 'result'; json: string | undefined; outputLeft: number; timeMs: number }
  | { kind: 'errors'; errors: FieldErrors; exceeded: boolean; timeMs: number }
  | { kind: 'failed'; message: string };

/** How an evaluation ended: with a reply, past its time limit, out of memory, or with the thread. */
export type EvaluationEnd = EvaluationReply | { kind: 'overdue' | 'out-of-memory' | 'exited' };

/** A thread that runs one evaluation at a time. After any end but a reply it is terminated. */
class EvaluationThread {
  isAlive = true;
  readonly #worker: Worker;
  #onStart: ((thread: string | undefined) => void) | undefined;
  #onEnd: ((end: EvaluationEnd) => void) | undefined;

  constructor() {
    // The bundled file, which is the same when running from the sources and from the installed package.
    this.#worker = new Worker(packageFile('#expression-worker'), {
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: EVALUATION_HEAP_MB },
    });
    this.#worker.on('message', (reply: EvaluationReply) =>
      reply.kind === 'started' ? this.#onStart?.(reply.thread) : this.#end(reply),
    );
    this.#worker.on('error', (error) =>
      this.#end({ kind: isOutOfMemory(error) ? 'out-of-memory' : 'exited' }),
    );
    this.#worker.on('exit', () => {
      this.isAlive = false;
      this.#end({ kind: 'exited' });
    });
  }

  /** Runs an evaluation. Its time starts when the thread has read the input. */
  async evaluate(request: EvaluationRequest): Promise<EvaluationEnd> {
    // Until it ends, the evaluation keeps the process alive.
    this.#worker.ref();
    const end = new Promise<EvaluationEnd>((resolve) => {
      this.#onEnd = resolve;
    });
    let timer = setTimeout(() => this.#end({ kind: 'overdue' }), MAX_INPUT_MS);
    this.#onStart = (thread) => {
      clearTimeout(timer);
      const overdueAt = threadTime(thread) + request.limits.timeMs + EVALUATION_GRACE_MS;
      const check = () => {
        const left = overdueAt - threadTime(thread);
        if (left > 0) timer = setTimeout(check, left);
        else this.#end({ kind: 'overdue' });
      };
      check();
    };
    this.#worker.postMessage(request);
    const result = await end;
    clearTimeout(timer);
    if (result.kind === 'result' || result.kind === 'errors') this.#worker.unref();
    else this.terminate();
    return result;
  }

  terminate(): void {
    this.isAlive = false;
    void this.#worker.terminate();
  }

  #end(end: EvaluationEnd): void {
    this.#onEnd?.(end);
    this.#onEnd = undefined;
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Threads that evaluate expressions. They keep nothing, so that all emulators of a process share them. */
class EvaluationPool {
  readonly #queue = new FairQueue<{ tenantId: string }>();
  #running = 0;
  readonly #idle: EvaluationThread[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Runs an evaluation in a thread, when it is the turn of its tenant. @throws EvaluationBusyError when that takes too long */
  async run(task: Task, limits: EvaluationLimits, tenantId: string): Promise<EvaluationEnd> {
    clearTimeout(this.#timer);
    if (this.#running < EVALUATION_THREADS) this.#running += 1;
    else if (!(await this.#queue.wait({ tenantId }, AbortSignal.timeout(MAX_WAIT_MS))))
      throw new EvaluationBusyError();
    try {
      return await this.#runInThread(task, limits);
    } finally {
      // The next evaluation takes the place of this one.
      if (!this.#queue.admitNext(() => 0)) this.#running -= 1;
    }
  }

  async #runInThread(task: Task, limits: EvaluationLimits): Promise<EvaluationEnd> {
    const thread = this.#takeThread();
    try {
      // Not before there is a thread, so that waiting takes no memory for a copy.
      return await thread.evaluate({ task: JSON.stringify(task), limits });
    } finally {
      if (thread.isAlive) this.#idle.push(thread);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        for (const idle of this.#idle.splice(0)) idle.terminate();
      }, IDLE_THREAD_MS).unref();
    }
  }

  #takeThread(): EvaluationThread {
    for (let thread = this.#idle.pop(); thread; thread = this.#idle.pop()) if (thread.isAlive) return thread;
    return new EvaluationThread();
  }
}

export const evaluationPool = new EvaluationPool();
