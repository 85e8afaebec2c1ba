import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { QuickJSContext, QuickJSRuntime } from 'quickjs-emscripten-core';
import type { HostServices } from '../host/services.js';
import type { SandboxLimits } from '../limits.js';
import type { RuntimeFailure } from '../outcome.js';
import type { GuestRequest, GuestResult, ReactorSource, WorkerOptions } from '../protocol.js';
import { type Guest, parseGuestResult } from '../runtime/guest-result.js';
import { createStackCorrector, loadCode } from './code-loader.js';
import { createEngine, type QuickJsEngine } from './engine.js';
import { createHostObject, setClockOffset, useUtc } from './host-object.js';
import type { PreludeTarget } from './memory-image.js';
import { type Delivery, PendingCalls } from './pending-calls.js';
import { GuestError, Prelude, writeBytes } from './prelude.js';

const require = createRequire(import.meta.url);

/** Jobs (promise reactions) that run between two checks of the deadline. */
const JOB_BATCH_SIZE = 100;
/** Time for jobs that are left over when the result is known. An instance that needs longer is not reused. */
const LEFTOVER_JOBS_MS = 50;
/** Share of the instance's memory that arguments may take. The engine aborts if it runs out of memory while copying them. */
const MAX_ARGUMENTS_SHARE = 1 / 8;

/** Boots the prelude or restores an image of a booted one. */
type InitializePrelude = (target: PreludeTarget, context: QuickJSContext) => void;

type GuestOptions = Pick<WorkerOptions, 'limits' | 'names'>;

/** Runs one reactor in a QuickJS engine of its own. */
export class QuickJsGuest implements Guest {
  isReusable = true;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #memory: WebAssembly.Memory;
  readonly #limits: SandboxLimits;
  readonly #pendingCalls: PendingCalls;
  readonly #prelude: Prelude;
  #fileName = '';
  #bundles: Readonly<Record<string, string>> = {};
  #correctStack = (text: string): string => text;
  #deadline = Number.POSITIVE_INFINITY;
  #isInterrupted = false;
  /** Set when the current load or call has ended. */
  #outcome: { result: GuestResult | undefined } | undefined;
  #complete: (() => void) | undefined;

  private constructor(
    { runtime, context, memory }: QuickJsEngine,
    { limits, names }: GuestOptions,
    initialize: InitializePrelude,
  ) {
    this.#runtime = runtime;
    this.#context = context;
    this.#memory = memory;
    this.#limits = limits;
    this.#pendingCalls = new PendingCalls(limits, (delivery) => this.#enter(() => this.#deliver(delivery)));
    const host = createHostObject(context, {
      pendingCalls: this.#pendingCalls,
      findPackage: (name) => this.#findPackage(name),
      settle: (kind, json) => this.#settle(kind, json),
      correctStack: (text) => this.#correctStack(text),
    });
    const api = context.newObject();
    runtime.setInterruptHandler(() => {
      this.#isInterrupted ||= performance.now() > this.#deadline;
      return this.#isInterrupted;
    });
    const target = { memory, host, api };
    initialize(target, context);
    this.#prelude = new Prelude(context, api);
    if (names?.client ?? names?.modules) this.#prelude.call('setNames', JSON.stringify(names)).dispose();
  }

  static async create(wasmModule: WebAssembly.Module, options: GuestOptions, initialize: InitializePrelude) {
    useUtc();
    const { memoryBytes } = options.limits;
    return new QuickJsGuest(await createEngine(wasmModule, memoryBytes), options, initialize);
  }

  setClock(offsetMs: number): void {
    setClockOffset(offsetMs);
  }

  load({ code, fileName, packages }: ReactorSource, services: HostServices) {
    this.#fileName = fileName;
    this.#bundles = packages?.bundles ?? {};
    this.#correctStack = createStackCorrector(code, fileName);
    return this.#run(services, () => {
      if (packages) {
        const { names, problems } = packages;
        const bundled = Object.keys(packages.bundles);
        this.#prelude.call('setPackages', JSON.stringify({ names, bundled, problems })).dispose();
      }
      const target = { runtime: this.#runtime, context: this.#context, prelude: this.#prelude, fileName };
      const error = loadCode(target, code);
      if (error && !this.#isInterrupted) this.#outcome = { result: error };
    });
  }

  async call(request: GuestRequest, services: HostServices): Promise<GuestResult> {
    const { args, configuration, hasSvc, takesEvent } = request;
    if (args.length + configuration.length > this.#limits.memoryBytes * MAX_ARGUMENTS_SHARE)
      return { kind: 'failed', failure: 'out-of-memory' };
    const { outputBytes } = this.#limits;
    const start = () =>
      this.#prelude.call('invoke', args, configuration, hasSvc, takesEvent, outputBytes).dispose();
    return (await this.#run(services, start)) ?? { kind: 'returned' };
  }

  /** No package has a name that starts with #: that is the part of `crypto` which is loaded on demand. */
  #findPackage(name: string): string | undefined {
    if (name === '#subtle') return readFileSync(require.resolve('#sandbox-subtle'), 'utf8');
    return Object.hasOwn(this.#bundles, name) ? this.#bundles[name] : undefined;
  }

  memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  async #run(services: HostServices, start: () => void): Promise<GuestResult | undefined> {
    this.#deadline = services.deadline;
    this.#outcome = undefined;
    this.#pendingCalls.begin(services);
    const completed = new Promise<void>((resolve) => {
      this.#complete = resolve;
    });
    const timer = setTimeout(() => this.#fail('timeout'), services.deadline - performance.now());
    if (this.#isInterrupted) this.#fail('timeout');
    else this.#enter(start);
    await completed;
    clearTimeout(timer);
    this.#pendingCalls.end();
    return (this.#outcome as { result: GuestResult | undefined } | undefined)?.result;
  }

  /** Enters the guest: runs `action` and all jobs that follow from it. */
  #enter(action: () => void): void {
    if (this.#outcome) return;
    try {
      action();
      this.#runJobs();
    } catch (error) {
      if (error instanceof GuestError) this.#failUncaught(error);
      else if (!this.#isInterrupted) this.#failUnexpectedly(error);
    }
    if (this.#isInterrupted) this.#fail('timeout');
    if (this.#outcome) this.#complete?.();
    else if (this.#pendingCalls.size === 0) this.#fail(this.#isMemoryFull() ? 'out-of-memory' : 'stalled');
  }

  /** Ends the invocation with an error that a callback threw, such as that of a timer, as Node.js would end the process. */
  #failUncaught({ handle }: GuestError): void {
    this.isReusable = false;
    try {
      if (this.#isInterrupted) return;
      if (this.#isMemoryFull()) this.#fail('out-of-memory');
      else this.#prelude.call('fail', handle).dispose();
    } catch {
      this.#fail('crashed');
    } finally {
      handle.dispose();
    }
  }

  #failUnexpectedly(error: unknown): void {
    const isMemoryFull = this.#isMemoryFull();
    if (!isMemoryFull) this.#pendingCalls.services.hideError(error);
    this.#fail(isMemoryFull ? 'out-of-memory' : 'crashed');
  }

  #runJobs(): void {
    while (this.#runtime.hasPendingJob()) {
      const { error } = this.#runtime.executePendingJobs(JOB_BATCH_SIZE);
      if (error) throw new GuestError(error);
      if (!this.#runtime.hasPendingJob() || performance.now() <= this.#deadline) continue;
      this.#isInterrupted = true;
      throw new Error('The deadline passed.');
    }
  }

  #deliver({ id, ok, json, bytes }: Delivery): void {
    const handles = bytes ? [writeBytes(this.#context, bytes)] : [];
    this.#prelude.call('deliver', id, ok, json, ...handles).dispose();
    for (const handle of handles) handle.dispose();
  }

  /** Takes the result that the prelude reports; not after an interruption, because the engine then rejects promises. */
  #settle(kind: string, json: string | undefined): void {
    if (this.#outcome || this.#isInterrupted) return;
    const result = parseGuestResult(kind, json, {
      fileName: this.#fileName,
      limits: this.#limits,
      isMemoryFull: this.#isMemoryFull(),
      correctStack: this.#correctStack,
    });
    this.#outcome = { result };
    if (result?.kind === 'failed' && result.failure === 'out-of-memory') this.isReusable = false;
    if (kind !== 'loaded') this.#deadline = Math.min(this.#deadline, performance.now() + LEFTOVER_JOBS_MS);
  }

  /** Ends the current load or call, unless its result is known, and the use of this guest. */
  #fail(failure: RuntimeFailure): void {
    this.isReusable = false;
    this.#outcome ??= { result: { kind: 'failed', failure } };
    this.#complete?.();
  }

  /** Tells whether an error may be caused by a failed allocation, after which the engine can throw anything, even `null`. */
  #isMemoryFull(): boolean {
    return this.memoryBytes() > 0.9 * this.#limits.memoryBytes;
  }
}
