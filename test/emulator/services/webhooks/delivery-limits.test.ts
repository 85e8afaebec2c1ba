import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { createTenant } from '../../../support/call.js';
import { startHttpServer } from '../../../support/http-server.js';
import { createReactor, useServer } from '../../../support/test-server.js';

const server = useServer();
const ECHO = 'module.exports = async (req) => ({ raw: req.args });';

let held: ServerResponse[] = [];
let accepted = 0;

const startSilentReceiver = () => startHttpServer((_request, response) => void held.push(response));
const startGoodReceiver = () =>
  startHttpServer((_request, response) => {
    accepted += 1;
    response.end();
  });

afterEach(() => {
  for (const response of held) response.end();
  held = [];
  accepted = 0;
});

it('a receiver that does not respond holds up no other receiver', async () => {
  const silent = await startSilentReceiver();
  const good = await startGoodReceiver();
  const id = await createReactor(server, ECHO);
  const start = (callback_url: string) => server.post(`/reactors/${id}/react`, { callback_url });
  for (let n = 0; n < 40; n++) await start(silent);
  await start(good);
  await expect.poll(() => accepted).toBe(1);
  // None of the 40 was given up to make room, and they wait for one connection.
  expect(held.length).toBe(1);
});

it('a receiver that does not respond holds up no other tenant, even with many of its kind', async () => {
  const silent = await Promise.all(Array.from({ length: 4 }, startSilentReceiver));
  const good = await startGoodReceiver();
  const id = await createReactor(server, ECHO);
  for (let n = 0; n < 40; n++)
    await server.post(`/reactors/${id}/react`, { callback_url: silent[n % silent.length] });
  const { keys } = await createTenant(server.emulator, 'other');
  const reactor = { name: 'echo', code: ECHO, configuration: {} };
  const { body: other } = await server.post('/reactors', reactor, { key: keys.management });
  await server.post(`/reactors/${other.id}/react`, { callback_url: good }, { key: keys.private });
  await expect.poll(() => accepted).toBe(1);
  expect(held.length).toBeLessThanOrEqual(24);
});
