import inspector from 'node:inspector';
import type { InspectorAddress } from '../protocol.js';

/** Opens the inspector, on a free port if the given one is in use, and waits for a debugger if it is to. */
export function openInspector({ host, port, waits }: InspectorAddress): void {
  inspector.open(port, host);
  if (inspector.url() === undefined) inspector.open(0, host);
  if (waits) inspector.waitForDebugger();
}

/** Detaches debuggers. */
export const closeInspector = (): void => inspector.close();

/** The global that names the function for the breakpoint. */
const MARKED = '__tokenctlReactor';

/** Makes a call in which a debugger stops at the first statement of a function, as only a debugger's console can. */
export function callStopped<Result>(stopped: (...args: never[]) => unknown, call: () => Result): Result {
  const session = new inspector.Session();
  session.connect();
  // A paused thread goes on when the last debugger that is attached to it has gone, and this would be one.
  session.once('Debugger.paused', () => session.disconnect());
  try {
    session.post('Debugger.enable');
    Object.defineProperty(globalThis, MARKED, { value: stopped, configurable: true });
    session.post('Runtime.evaluate', { expression: `debug(${MARKED})`, includeCommandLineAPI: true });
    Reflect.deleteProperty(globalThis, MARKED);
    return call();
  } finally {
    session.disconnect();
  }
}
