import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * An address for a reactor's code to ask: what is to happen while it runs happens then, however slow the machine is, and
 * the code goes on afterwards. Gone when the test is done.
 */
export async function openBarrier(meanwhile: () => unknown): Promise<string> {
  const server = createServer(async (_request, response) => {
    await meanwhile();
    response.end();
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
