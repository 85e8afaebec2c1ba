import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

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
