import { Worker } from 'node:worker_threads';
import type {
  DoneMessage,
  MessageFromWorker,
  MessageToWorker,
  RunMessage,
  WorkerOptions,
} from '../protocol.js';
import { workerScriptPath } from './worker-script.js';

/** Frames of the engine use the native stack; with this much its own limit is always reached first. */
const STACK_MB = 32;
/** The worker's own heap (strings that cross over, pending calls), apart from the guest's memory. */
const QUICKJS_HEAP_MB = 96;

export type RunEnd =
  | { kind: 'done'; message: DoneMessage }
  | { kind: 'overdue' }
  | { kind: 'out-of-memory' }
  | { kind: 'exited' };

export type WorkerEvent = Exclude<MessageFromWorker, DoneMessage | { type: 'ready' }>;

/** One worker thread with one guest in it. Runs one invocation at a time; ends for good with `end()`. */
export class Instance {
  readonly ready: Promise<boolean>;
  isAlive = true;
  memoryBytes = 0;
  readonly #worker: Worker;
  #onEvent: ((event: WorkerEvent) => void) | undefined;
  #finish: ((terminate: RunEnd) => void) | undefined;
  #outOfMemory = false;

  /** @param warn told when the thread fails for a reason that is not the reactor's. */
  constructor(options: WorkerOptions, warn: (message: string) => void = () => {}) {
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
    // What the engine prints when it aborts belongs to nobody.
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.ready = new Promise((resolve) => this.#listen(resolve, warn));
  }

  /** @param overdueMs when the worker is given up, from now. */
  run(message: RunMessage, overdueMs: number, onEvent: (event: WorkerEvent) => void): Promise<RunEnd> {
    this.#onEvent = onEvent;
    if (!this.isAlive) return Promise.resolve({ kind: 'exited' });
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

  /** Terminates the thread, whatever it is doing. */
  async end(): Promise<void> {
    this.isAlive = false;
    await this.#worker.terminate();
  }

  #listen(resolveReady: (ready: boolean) => void, warn: (message: string) => void): void {
    this.#worker.on('message', (message: MessageFromWorker) => {
      if (message.type === 'ready') {
        this.memoryBytes = message.memoryBytes;
        resolveReady(true);
      } else if (message.type === 'done') {
        this.memoryBytes = message.memoryBytes;
        this.#finish?.({ kind: 'done', message });
      } else {
        this.#onEvent?.(message);
      }
    });
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      this.#outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      if (!this.#outOfMemory) warn(`A sandbox worker failed: ${error.stack ?? error.message}`);
    });
    this.#worker.on('exit', () => {
      this.isAlive = false;
      resolveReady(false);
      this.#finish?.({ kind: this.#outOfMemory ? 'out-of-memory' : 'exited' });
    });
  }
}

const heapLimitMb = ({ runtime, limits }: WorkerOptions): number =>
  runtime === 'node' ? Math.ceil(limits.memoryBytes / 1024 ** 2) : QUICKJS_HEAP_MB;
