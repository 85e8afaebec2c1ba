import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../lib/lower-priority.js';
import { HostServices } from './host/services.js';
import type {
  GuestResult,
  MessageFromWorker,
  MessageToWorker,
  RunMessage,
  StartMessage,
  WorkerOptions,
} from './protocol.js';
import type { Guest } from './runtime/guest-result.js';

// Entry point of the worker thread that runs one reactor.

// Reactor code in a loop must not slow down the thread that answers requests.
lowerPriority();

const options = workerData as WorkerOptions;
const post = (message: MessageFromWorker): void => parentPort?.postMessage(message);
let services: HostServices | undefined;
/** Replaced as a whole by each start, so that nothing of a guest outlives it. */
let current: { guest: Promise<Guest>; isFresh: boolean; message: StartMessage } | undefined;
/** The guest of the next start, created after a run. Goal R2, after an update: median 16 → 8 ms. */
let standby: Promise<Guest> | undefined;
/** The guest of runtime `node`, which changes the thread itself. With an inspector, it loads one reactor after another. */
let nodeGuest: Guest | undefined;

/** Imports only the runtime that is used. */
async function createGuest({ engine }: StartMessage): Promise<Guest> {
  if (!engine) {
    const { NodeGuest } = await import('./node-runtime/node-guest.js');
    nodeGuest ??= new NodeGuest(options);
    return nodeGuest;
  }
  const { QuickJsGuest } = await import('./quickjs-runtime/quickjs-guest.js');
  const { restoreImage } = await import('./quickjs-runtime/memory-image.js');
  return QuickJsGuest.create(engine.wasmModule, options, (target) => restoreImage(target, engine.image));
}

async function start(message: StartMessage): Promise<void> {
  const started = { guest: standby ?? createGuest(message), isFresh: true, message };
  standby = undefined;
  current = started;
  post({ type: 'ready', memoryBytes: (await started.guest).memoryBytes() });
}

function prepareStandby({ message }: { message: StartMessage }): void {
  if (!message.engine || standby) return;
  standby = createGuest(message);
  standby.catch(() => {
    standby = undefined;
  });
}

async function run(message: RunMessage): Promise<void> {
  const { source, request, clockOffsetMs } = message;
  if (!current || current.isFresh !== (source !== undefined))
    throw new Error('A guest runs the code of one reactor version only.');
  const started = current;
  started.isFresh = false;
  const guest = await started.guest;
  const currentServices = new HostServices(message, options, post);
  services = currentServices;
  guest.setClock(clockOffsetMs);
  const startedAt = performance.now();
  let result: GuestResult | undefined = source && (await guest.load(source, currentServices));
  const loadedAt = performance.now();
  const isLoaded = result === undefined;
  if (isLoaded && request) result = await guest.call(request, currentServices);
  currentServices.end();
  post({
    type: 'done',
    result,
    loadMs: source ? loadedAt - startedAt : 0,
    runMs: performance.now() - loadedAt,
    // A debugger stays attached to the thread, which gets other code.
    isReusable: guest.isReusable && (isLoaded || options.inspector !== undefined),
    isLoaded,
    memoryBytes: guest.memoryBytes(),
  });
  if (guest.isReusable && options.limits.standbys > 0) prepareStandby(started);
}

async function end(): Promise<void> {
  const { closeInspector } = await import('./node-runtime/inspector.js');
  closeInspector();
  process.exit();
}

parentPort?.on('message', (message: MessageToWorker) => {
  if (message.type === 'start') void start(message);
  else if (message.type === 'run') void run(message);
  else if (message.type === 'end') void end();
  else services?.receive(message);
});
