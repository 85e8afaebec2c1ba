import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

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
export async function openBarrier(action: () => unknown): Promise<string> {
  const server = createServer(async (_request, response) => {
    await action();
    response.end();
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
