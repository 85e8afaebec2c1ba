import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PATIENCE } from '../../../support/patience.js';
import { createReactor } from '../../../support/reactors.js';
import { createTenant } from '../../../support/tenants.js';
import { useServer } from '../../../support/test-server.js';

const server = useServer();
const ECHO = 'module.exports = async (req) => ({ raw: req.args });';

const receivers: Server[] = [];
let held: ServerResponse[] = [];

/** Starts a receiver of callbacks. @returns its URL */
async function startReceiver(answer: (response: ServerResponse) => void): Promise<string> {
  const receiver = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  receivers.push(receiver);
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
}

const startSilentReceiver = () => startReceiver((response) => void held.push(response));

afterEach(() => {
  for (const response of held) response.end();
  for (const receiver of receivers.splice(0)) receiver.close();
  held = [];
});

describe('a receiver that does not respond', () => {
  it('holds up no other receiver', async () => {
    const silent = await startSilentReceiver();
    let accepted = 0;
    const good = await startReceiver((response) => {
      accepted += 1;
      response.end();
    });
    const id = await createReactor(server, ECHO);
    const start = (callback_url: string) => server.post(`/reactors/${id}/react`, { callback_url });
    for (let n = 0; n < 40; n++) await start(silent);
    await start(good);
    await vi.waitFor(() => expect(accepted).toBe(1), PATIENCE);
    // None of the 40 was given up to make room, and they wait for one connection.
    expect(held.length).toBe(1);
  });

  it('holds up no other tenant, even with many of its kind', async () => {
    const silent = await Promise.all(Array.from({ length: 4 }, startSilentReceiver));
    let accepted = 0;
    const good = await startReceiver((response) => {
      accepted += 1;
      response.end();
    });
    const id = await createReactor(server, ECHO);
    for (let n = 0; n < 40; n++)
      await server.post(`/reactors/${id}/react`, { callback_url: silent[n % silent.length] });
    const { keys } = await createTenant(server.emulator, 'other');
    const reactor = { name: 'echo', code: ECHO, configuration: {} };
    const { body: other } = await server.post('/reactors', reactor, { key: keys.management });
    await server.post(`/reactors/${other.id}/react`, { callback_url: good }, { key: keys.private });
    await vi.waitFor(() => expect(accepted).toBe(1), PATIENCE);
    expect(held.length).toBeLessThanOrEqual(24);
  });
});
