import type { QuickJSContext, QuickJSRuntime } from 'quickjs-emscripten-core';
import type { SandboxLimits } from '../limits.js';
import type { RuntimeFailure } from '../outcome.js';
import type { GuestResult } from '../protocol.js';
import type { Guest, GuestRequest, HostServices } from '../runtime/guest.js';
import { parseGuestResult } from '../runtime/guest-result.js';
import { setClockOffset, useUtc } from './clock.js';
import { loadCode } from './code-loader.js';
import { createEngine, type QuickJsEngine } from './engine.js';
import { createHostObject } from './host-object.js';
import { type Delivery, PendingCalls } from './pending-calls.js';
import { GuestError, Prelude } from './prelude.js';
import { writeBytes } from './values.js';

/** Jobs (promise reactions) run at a time between two looks at the clock. */
const JOB_BATCH = 100;
/** After the result is known, what the code left behind may run on for this long before the instance is given up. */
const CLEANUP_MS = 50;

/** Arguments that leave no room beside them; the engine does not survive running out of memory while it takes them over. */
const ARGUMENTS_TOO_LARGE: GuestResult = { kind: 'failed', failure: 'out-of-memory' };

/** Far more than it takes. */
const WARM_UP_MS = 60_000;
const doNothing = (): void => {};
const rejectCall = (): Promise<never> => Promise.reject(new Error('Not now.'));

/** One reactor in an engine of its own. */
export class QuickJsGuest implements Guest {
  isReusable = true;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #memory: WebAssembly.Memory;
  readonly #limits: SandboxLimits;
  readonly #pendingCalls: PendingCalls;
  readonly #prelude: Prelude;
  #fileName = '';
  #deadline = Number.POSITIVE_INFINITY;
  #interrupted = false;
  #outcome: { result: GuestResult | undefined } | undefined;
  #complete: (() => void) | undefined;

  private constructor({ runtime, context, memory }: QuickJsEngine, limits: SandboxLimits) {
    this.#runtime = runtime;
    this.#context = context;
    this.#memory = memory;
    this.#limits = limits;
    this.#pendingCalls = new PendingCalls(limits, (delivery) => this.#enter(() => this.#deliver(delivery)));
    const host = createHostObject(context, this.#pendingCalls, (kind, json) => this.#settle(kind, json));
    this.#prelude = new Prelude(context, host, limits.outputBytes);
    runtime.setInterruptHandler(() => {
      this.#interrupted ||= performance.now() > this.#deadline;
      return this.#interrupted;
    });
  }

  static async create(wasmModule: WebAssembly.Module, limits: SandboxLimits): Promise<QuickJsGuest> {
    useUtc();
    const guest = new QuickJsGuest(await createEngine(wasmModule, limits.memoryBytes), limits);
    await guest.#warmUp();
    return guest;
  }

  /** The first run of anything is slow in both engines, so it is done before there is a reactor that waits for it. */
  async #warmUp(): Promise<void> {
    const deadline = performance.now() + WARM_UP_MS;
    const services: HostServices = {
      deadline,
      console: doNothing,
      report: doNothing,
      svc: rejectCall,
      fetch: rejectCall,
    };
    await this.load('module.exports = async () => ({})', 'rehearsal.js', services);
    await this.call({ args: 'null', configuration: '{}', hasSvc: false }, services);
  }

  setClock(offsetMs: number): void {
    setClockOffset(offsetMs);
  }

  load(code: string, fileName: string, services: HostServices): Promise<GuestResult | undefined> {
    this.#fileName = fileName;
    return this.#run(services, () => {
      const target = { runtime: this.#runtime, context: this.#context, prelude: this.#prelude, fileName };
      const failure = loadCode(target, code);
      if (failure && !this.#interrupted) this.#outcome = { result: failure };
    });
  }

  async call({ args, configuration, hasSvc }: GuestRequest, services: HostServices): Promise<GuestResult> {
    if (args.length + configuration.length > this.#limits.memoryBytes / 8) return ARGUMENTS_TOO_LARGE;
    const start = () => this.#prelude.call('invoke', args, configuration, hasSvc).dispose();
    return (await this.#run(services, start)) ?? { kind: 'returned' };
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
    const timer = setTimeout(() => this.#abort('timeout'), services.deadline - performance.now());
    if (this.#interrupted) this.#abort('timeout');
    else this.#enter(start);
    await completed;
    clearTimeout(timer);
    this.#pendingCalls.end();
    return (this.#outcome as { result: GuestResult | undefined } | undefined)?.result;
  }

  /** Lets the guest run: `action`, then all jobs that follow from it. */
  #enter(action: () => void): void {
    if (this.#outcome) return;
    try {
      action();
      this.#runJobs();
    } catch (error) {
      if (error instanceof GuestError) error.handle.dispose();
      if (!this.#interrupted) this.#abort(this.#isMemoryFull() ? 'out-of-memory' : 'crashed');
    }
    if (this.#interrupted) this.#abort('timeout');
    if (this.#outcome) this.#complete?.();
    else if (this.#pendingCalls.size === 0) this.#abort('stalled');
  }

  #runJobs(): void {
    while (this.#runtime.hasPendingJob()) {
      const { error } = this.#runtime.executePendingJobs(JOB_BATCH);
      if (error) throw new GuestError(error);
      if (!this.#runtime.hasPendingJob() || performance.now() <= this.#deadline) continue;
      this.#interrupted = true;
      throw new Error('The deadline passed.');
    }
  }

  #deliver({ id, ok, json, bytes }: Delivery): void {
    const handles = bytes ? [writeBytes(this.#context, bytes)] : [];
    this.#prelude.call('deliver', id, ok, json, ...handles).dispose();
    for (const handle of handles) handle.dispose();
  }

  /** What the prelude reports; ignored once the time is over, since the engine rejects promises when it is interrupted. */
  #settle(kind: string, json: string | undefined): void {
    if (this.#outcome || this.#interrupted) return;
    const result = parseGuestResult(kind, json, {
      fileName: this.#fileName,
      limits: this.#limits,
      memoryFull: this.#isMemoryFull(),
    });
    this.#outcome = { result };
    if (result?.kind === 'failed' && result.failure === 'out-of-memory') this.isReusable = false;
    if (kind !== 'loaded') this.#deadline = Math.min(this.#deadline, performance.now() + CLEANUP_MS);
  }

  #abort(failure: RuntimeFailure): void {
    this.isReusable = false;
    this.#outcome ??= { result: { kind: 'failed', failure } };
    this.#complete?.();
  }

  /** When the allocator fails here, the engine may throw anything, `null` too. */
  #isMemoryFull(): boolean {
    return this.memoryBytes() > 0.9 * this.#limits.memoryBytes;
  }
}
