import { format, inspect } from 'node:util';
import v8 from 'node:v8';
import type { HostServices } from '../host/services.js';
import type { ConsoleEntry } from '../invocation.js';
import type { GuestRequest, GuestResult, ReactorSource, WorkerOptions } from '../protocol.js';
import { describeThrown, describeValue } from '../runtime/describe-thrown.js';
import { type Guest, parseGuestResult } from '../runtime/guest-result.js';
import {
  clientProperties,
  createSvcClient,
  findReactorFunction,
  inputOf,
  type ReactorFunction,
} from '../runtime/reactor-api.js';
import { CodeLoader, LoadFailure } from './code-loader.js';
import { callStopped, openInspector } from './inspector.js';
import { guardSockets, reportRequests } from './socket-guard.js';

/** Runs one reactor in Node.js itself: no security boundary, and only its end stops a thread in an endless loop. */
export class NodeGuest implements Guest {
  isReusable = true;
  readonly #loader: CodeLoader;
  readonly #setDate: (offsetMs: number) => void;
  #fileName = '';
  /** Of the code, which a debugger knows under another name. */
  #url = '';
  /** Whether a debugger has yet to stop the code. */
  #isToBreak: boolean;
  #reactor: ReactorFunction | undefined;
  #services: HostServices | undefined;
  #fail: (error: unknown) => void = () => {};

  constructor(private readonly options: WorkerOptions) {
    this.#loader = new CodeLoader(options.modulesDir, options.names?.modules);
    this.#setDate = installDate();
    this.#isToBreak = options.inspector?.waits ?? false;
    if (options.inspector) openInspector(options.inspector);
    guardSockets(() => this.#services?.network ?? options.network);
    reportRequests((request) => this.#services?.report(request));
    redirectConsole((level, message) => this.#services?.console(level, this.#renameFile(message)));
    // An uncaught error, which would end a Node.js process, ends the invocation.
    process.on('uncaughtException', (error) => this.#fail(error));
  }

  setClock(offsetMs: number): void {
    this.#setDate(offsetMs);
  }

  load(source: ReactorSource, services: HostServices): Promise<GuestResult | undefined> {
    const { fileName, origin } = source;
    this.#fileName = fileName;
    this.#url = origin?.url ?? fileName;
    return this.#run(services, async () => {
      this.#reactor = findReactorFunction(
        await this.#loader.load(debuggableCode(source), this.#url, origin !== undefined),
      );
      return this.#toResult(this.#reactor ? 'loaded' : 'no-function');
    });
  }

  async call(request: GuestRequest, services: HostServices): Promise<GuestResult> {
    const svc = request.hasSvc
      ? createSvcClient((method, params) => sendSvcCall(services, method, params))
      : null;
    const args = JSON.parse(request.args) as unknown;
    const configuration = JSON.parse(request.configuration) as unknown;
    const result = await this.#run(services, async () => {
      const clients = clientProperties(svc, this.options.names?.client);
      const input = inputOf(request.takesEvent, args, configuration, clients);
      const value = await this.#callReactor(input, clients);
      return this.#toResult(...describeValue(value));
    });
    return result ?? { kind: 'returned' };
  }

  #callReactor(...args: Parameters<ReactorFunction>): unknown {
    const reactor = this.#reactor;
    if (!reactor || !this.#isToBreak) return reactor?.(...args);
    this.#isToBreak = false;
    return callStopped(reactor, () => reactor(...args));
  }

  memoryBytes(): number {
    const { used_heap_size: heap, external_memory: external } = v8.getHeapStatistics();
    return heap + external;
  }

  async #run(services: HostServices, action: () => Promise<GuestResult | undefined>) {
    this.#services = services;
    let timer: NodeJS.Timeout | undefined;
    const aborted = new Promise<GuestResult | undefined>((resolve) => {
      const abort = (result: GuestResult | undefined) => {
        this.isReusable = false;
        resolve(result);
      };
      timer = setTimeout(
        () => abort({ kind: 'failed', failure: 'timeout' }),
        services.deadline - performance.now(),
      );
      this.#fail = (error) => abort(this.#toThrownResult(error));
    });
    const finished = action().catch((error: unknown) => this.#toThrownResult(error));
    const result = await Promise.race([finished, aborted]);
    clearTimeout(timer);
    this.#services = undefined;
    return result;
  }

  #toThrownResult(error: unknown): GuestResult | undefined {
    if (error instanceof LoadFailure) return error.result;
    return this.#toResult('error', JSON.stringify(describeThrown(error)));
  }

  #toResult(kind: string, json?: string): GuestResult | undefined {
    const { limits } = this.options;
    const correctStack = (stack: string) => this.#renameFile(stack);
    return parseGuestResult(kind, json, {
      fileName: this.#fileName,
      limits,
      isMemoryFull: false,
      correctStack,
    });
  }

  #renameFile(text: string): string {
    return text.replaceAll(this.#url, this.#fileName);
  }
}

function debuggableCode({ code, origin }: ReactorSource): string {
  if (origin?.sourceMap === undefined) return code;
  const map = Buffer.from(origin.sourceMap).toString('base64');
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${map}`;
}

async function sendSvcCall(services: HostServices, method: string, params: unknown[]) {
  const response = await services.svc(method, JSON.stringify(params));
  return 'value' in response
    ? { ok: true as const, value: JSON.parse(response.value) as unknown }
    : { ok: false as const, value: response.failure };
}

const LEVELS = ['debug', 'log', 'info', 'warn', 'error'] as const;

function redirectConsole(write: (level: ConsoleEntry['level'], message: string) => void): void {
  for (const level of LEVELS) console[level] = (...args: unknown[]) => write(level, format(...args));
  console.dir = (value: unknown, options?: object) => write('log', inspect(value, options));
  console.trace = (...args: unknown[]) => write('error', `Trace: ${format(...args)}`);
}

/** Replaces `Date` by one that follows the emulator's clock. @returns a function that sets the offset in milliseconds */
function installDate(): (offsetMs: number) => void {
  const RealDate = Date;
  let offset = 0;
  const now = () => RealDate.now() + offset;
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, args: [], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
  });
  return (offsetMs) => {
    offset = offsetMs;
  };
}
