import { onTestFinished } from 'vitest';
import { startHttpServer } from './http-server.js';

/** Where reactors wait for the test. */
interface Gate {
  /** Fetched by a reactor, answered when the gate is open. */
  url: string;
  /** Resolves when the first reactor waits. */
  reached: Promise<void>;
  open(): void;
}

/** Starts a gate, so that reactors run for as long as the test wants. Closed at the end of the test. */
export async function startGate(): Promise<Gate> {
  let [reach, open] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  onTestFinished(open);
  const url = await openBarrier(() => {
    reach();
    return opened;
  });
  return { url, reached, open };
}

/**
 * Starts a server that a reactor's code calls to let the test act while the reactor runs: the response is sent when
 * `action` is done. Closed at the end of the test.
 */
export function openBarrier(action: () => unknown): Promise<string> {
  return startHttpServer(async (_request, response) => {
    await action();
    response.end();
  });
}
