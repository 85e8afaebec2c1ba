import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { InvocationServices } from './host/services.js';
import type {
  GuestResult,
  MessageFromWorker,
  MessageToWorker,
  RunMessage,
  WorkerOptions,
} from './protocol.js';
import type { Guest } from './runtime/guest.js';

/** The thread that one reactor runs in. */

const NICENESS = 5;
const options = workerData as WorkerOptions;
const post = (message: MessageFromWorker): void => parentPort?.postMessage(message);

/**
 * Code that spins must not hold up the thread that answers requests. On Linux a priority belongs to a thread, elsewhere to
 * the process, which has to keep its own.
 */
if (process.platform === 'linux') setPriority(NICENESS);

let services: InvocationServices | undefined;
const guest = await createGuest();

/** Each runtime is loaded only where it runs. */
async function createGuest(): Promise<Guest> {
  if (options.runtime === 'node')
    return new (await import('./node-runtime/node-guest.js')).NodeGuest(options);
  const { QuickJsGuest } = await import('./quickjs-runtime/quickjs-guest.js');
  return await QuickJsGuest.create(options.wasmModule as WebAssembly.Module, options.limits);
}

async function run({ source, request, timeoutMs, clockOffsetMs }: RunMessage): Promise<void> {
  const current = new InvocationServices(timeoutMs, options, post);
  services = current;
  guest.setClock(clockOffsetMs);
  const began = performance.now();
  let result: GuestResult | undefined = source && (await guest.load(source.code, source.fileName, current));
  const loaded = performance.now();
  const usable = result === undefined;
  if (!result && request) result = await guest.call(request, current);
  current.end();
  post({
    type: 'done',
    result,
    loadMs: source ? loaded - began : 0,
    runMs: performance.now() - loaded,
    reusable: guest.isReusable && usable,
    memoryBytes: guest.memoryBytes(),
  });
}

parentPort?.on('message', (message: MessageToWorker) => {
  if (message.type === 'run') void run(message);
  else services?.answer(message);
});
post({ type: 'ready', memoryBytes: guest.memoryBytes() });
