import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type {
  DoneMessage,
  EngineFiles,
  MessageFromWorker,
  MessageToWorker,
  RunMessage,
  WorkerOptions,
} from '../protocol.js';
import { workerScriptPath } from './built-files.js';
import { attachToThread } from './debugged-thread.js';

/** QuickJS frames use the native stack. With this size, the engine's own stack limit is always reached first. */
const STACK_MB = 32;
/** Heap of the worker itself, which holds texts that cross the boundary and pending calls. Separate from the guest's memory. */
const QUICKJS_HEAP_MB = 96;

/** Terminated threads that have not ended within their time. */
const stuckWorkers = new Set<Worker>();

/** Tells whether a terminated thread is still in a native call. Exiting the process would wait for it. */
export const hasStuckWorkers = (): boolean => stuckWorkers.size > 0;

/** How a run ended: with a message of the worker, past its time limit, or with the thread. */
export type RunEnd =
  | { kind: 'done'; message: DoneMessage }
  | { kind: 'overdue' }
  | { kind: 'out-of-memory' }
  | { kind: 'exited' };

export type WorkerEvent = Exclude<MessageFromWorker, DoneMessage | { type: 'ready' }>;

/** A worker thread with one guest. Runs one invocation at a time, until `terminate()`. */
export class Instance {
  isAlive = true;
  /** True once the guest is created. A run before that waits for it. */
  isReady = false;
  /** Resolves to true when the guest is created, to false if the thread exits first. `restart()` replaces it. */
  ready: Promise<boolean> = Promise.resolve(false);
  /** As last reported by the worker. */
  memoryBytes = 0;
  /** Whose code it has run last. */
  tenantId: string | undefined;
  readonly #worker: Worker;
  /** Present if a debugger can pause the thread. */
  readonly #resume: (() => void) | undefined;
  readonly #terminateMs: number;
  /** Resolves when the worker has been asked for its guest. */
  #started: Promise<void>;
  #settleReady: (isReady: boolean) => void = () => {};
  #onEvent: ((event: WorkerEvent) => void) | undefined;
  #finish: ((end: RunEnd) => void) | undefined;
  #isOutOfMemory = false;

  /**
   * @param engine runtime `quickjs` only
   * @param warn called when the thread fails for a reason other than the reactor's memory use
   */
  constructor(
    options: WorkerOptions,
    private readonly engine?: Promise<EngineFiles>,
    private readonly warn: (message: string) => void = () => {},
  ) {
    this.#terminateMs = options.limits.terminateMs;
    this.#worker = new Worker(workerScriptPath(), {
      workerData: options,
      env: {},
      argv: [],
      execArgv: options.runtime === 'node' ? ['--experimental-vm-modules', '--no-warnings'] : [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: heapLimitMb(options) },
    });
    this.#resume = options.inspector && attachToThread(this.#worker);
    // Discards what the engine prints when it aborts.
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#listen();
    this.#started = this.#start();
  }

  /** Tells whether the thread can get a new guest. Code in runtime `node` may have changed the thread itself. */
  get canRestart(): boolean {
    return this.isAlive && (this.engine !== undefined || this.#resume !== undefined);
  }

  /** Tells whether the code of a tenant cannot meet what that of another has left: a thread that a debugger keeps has all of it. */
  mayRun(tenantId: string): boolean {
    return !this.#resume || this.tenantId === undefined || this.tenantId === tenantId;
  }

  /** Replaces the guest by a new one, with a new engine and memory. Not during a run. */
  restart(): void {
    this.#started = this.#start();
  }

  async #start(): Promise<void> {
    this.isReady = false;
    this.ready = new Promise((resolve) => {
      this.#settleReady = resolve;
    });
    try {
      const engine = await this.engine;
      this.send({ type: 'start', ...(engine && { engine }) });
    } catch (error) {
      this.warn(`The sandbox engine could not be loaded: ${(error as Error).message}`);
      await this.terminate();
    }
  }

  /** Runs one message to its end. Never rejects. @param overdueMs time after which the worker is considered stuck */
  async run(message: RunMessage, overdueMs: number, onEvent: (event: WorkerEvent) => void): Promise<RunEnd> {
    // The worker must not take the message for one to the guest before a restart.
    await this.#started;
    if (!this.isAlive) return { kind: 'exited' };
    this.#onEvent = onEvent;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#finish?.({ kind: 'overdue' }), overdueMs);
      this.#finish = (end) => {
        clearTimeout(timer);
        this.#finish = undefined;
        this.#onEvent = undefined;
        resolve(end);
      };
      this.send(message);
    });
  }

  send(message: MessageToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Terminates the thread, even if it is running code. Resolves when it has ended, or when its time to do so is over. */
  async terminate(): Promise<void> {
    this.isAlive = false;
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#giveUp();
        resolve();
      }, this.#terminateMs);
    });
    await Promise.race([this.#end(), overdue]);
    clearTimeout(timer);
  }

  /** A debugger keeps a thread alive until it detaches. A thread that runs no code, or waits for one, detaches it. */
  #end(): Promise<unknown> {
    if (!this.#resume || this.#worker.threadId < 0) return this.#worker.terminate();
    const ended = this.#finish ? this.#worker.terminate() : once(this.#worker, 'exit');
    if (!this.#finish) this.send({ type: 'end' });
    this.#resume();
    return ended;
  }

  /** Lets the event loop end without the thread. The process still waits for a debugger, as Node.js does for its own. */
  #giveUp(): void {
    this.#worker.unref();
    if (this.#resume) {
      this.warn('Waiting for the debugger to disconnect …');
      return;
    }
    stuckWorkers.add(this.#worker);
    this.#worker.once('exit', () => stuckWorkers.delete(this.#worker));
  }

  #listen(): void {
    this.#worker.on('message', (message: MessageFromWorker) => {
      if (message.type === 'ready') {
        this.memoryBytes = message.memoryBytes;
        this.isReady = true;
        this.#settleReady(true);
      } else if (message.type === 'done') {
        this.memoryBytes = message.memoryBytes;
        this.#finish?.({ kind: 'done', message });
      } else this.#onEvent?.(message);
    });
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      this.#isOutOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      if (!this.#isOutOfMemory) this.warn(`A sandbox worker failed: ${error.stack ?? error.message}`);
    });
    this.#worker.on('exit', () => {
      this.isAlive = false;
      this.#settleReady(false);
      this.#finish?.({ kind: this.#isOutOfMemory ? 'out-of-memory' : 'exited' });
    });
  }
}

const heapLimitMb = ({ runtime, limits }: WorkerOptions): number =>
  runtime === 'node' ? Math.ceil(limits.memoryBytes / 1024 ** 2) : QUICKJS_HEAP_MB;
