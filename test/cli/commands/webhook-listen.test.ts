import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REPORTED_TYPES } from '../../../src/contract/event-types.js';
import { projectDir, startEmulatorProcess, startTokenctl, tokenctl } from '../../support/executable.js';
import { startStub } from '../../support/http-server.js';
import { width } from '../../support/width.js';

/** Starts `webhook listen` with a service that accepts its webhook, and waits until it is ready. */
async function listen(forwardTo = 'http://127.0.0.1:9/') {
  const service = await startStub({ body: { id: 'hook' } });
  const env = { TOKENCTL_BASE_URL: service.url, TOKENCTL_API_KEY: 'k' };
  const running = startTokenctl(`webhook listen --forward-to ${forwardTo}`, {
    cwd: await projectDir({}),
    env,
  });
  await running.waitFor(/Press Ctrl-C/);
  return { ...running, service };
}

test('webhook listen rejects what is not an event, does not forward it, and goes on', async () => {
  const target = await startStub({ status: 202, body: {} });
  const { service, end } = await listen(target.url);
  const { url, events } = JSON.parse(service.requests.find(({ method }) => method === 'POST')?.body ?? '');
  expect(events).toEqual(REPORTED_TYPES);
  const send = async (body: string) =>
    (await fetch(url, { method: 'POST', body }).catch(() => undefined))?.status;

  const forged = JSON.stringify({ event: { id: 'one\ntwo', type: 'token.created' } });
  const bodies = ['', 'no JSON', 'null', '{"event":1}', '{"event":{"id":1}}', forged, 'a'.repeat(2_000_000)];
  for (const body of bodies) expect([400, undefined]).toContain(await send(body));
  expect(await send('{"event":{"id":"one","type":"token.created"}}')).toBe(202);
  expect(target.requests.map(({ body }) => body)).toEqual(['{"event":{"id":"one","type":"token.created"}}']);
  await end();
});

test('webhook listen goes on when an emulator in memory starts again at another port', async () => {
  const target = await startStub({ status: 202, body: {} });
  const cwd = await projectDir({});
  const first = await startEmulatorProcess('--memory --port 0', { cwd });
  const listener = startTokenctl(`webhook listen --forward-to ${target.url} --event token.created`, { cwd });
  await listener.waitFor(/Press Ctrl-C/);
  await first.end();
  await listener.waitFor(/does not answer/);
  const second = await startEmulatorProcess('--memory --port 0', { cwd });
  await listener.waitFor(/runs again/);
  await tokenctl(['token', 'create', '--type', 'token', '--data', '"x"'], { cwd });
  await listener.waitFor(/token.created .* 202/);
  expect([await listener.end(), (await tokenctl('webhook list', { cwd })).json.data]).toEqual([130, []]);
  await second.end();
});

test.runIf(width(false, true))('webhook listen goes on after the data directory was deleted', async () => {
  const cwd = await projectDir({});
  const first = await startEmulatorProcess('--port 0', { cwd });
  const listener = startTokenctl('webhook listen --forward-to http://127.0.0.1:9/', { cwd });
  await listener.waitFor(/Press Ctrl-C/);
  await first.end();
  await listener.waitFor(/does not answer/);
  await rm(join(cwd, '.tokenctl'), { recursive: true });
  const second = await startEmulatorProcess(`--port ${new URL(first.base_url).port}`, { cwd });
  await listener.waitFor(/runs again/);
  expect([await listener.end(), (await tokenctl('webhook list', { cwd })).json.data]).toEqual([130, []]);
  await second.end();
});

test('webhook listen deletes its webhook on Ctrl-C and exits with 130', async () => {
  const { service, end } = await listen();
  expect([await end(), service.requests.at(-1)?.method]).toEqual([130, 'DELETE']);
});

test('webhook listen names the webhook that it could not delete', async () => {
  const { service, end, printed } = await listen();
  await service.close();
  expect(await end()).toBe(130);
  expect(printed()).toMatch(/left on the service: Nothing listens on .*tokenctl webhook delete hook/);
});
