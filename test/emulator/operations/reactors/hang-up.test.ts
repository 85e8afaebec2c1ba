import { once } from 'node:events';
import { createServer } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { listen } from '../../../support/http-server.js';
import { createReactor, useServer } from '../../../support/test-server.js';

const server = useServer({ rateLimit: false });
const CODE = 'module.exports = async ({ args }) => ({ raw: await (await fetch(args.url)).text() });';

/** Calls out, and does not answer before it is released. */
const waiting = createServer();
let url: string;
beforeAll(async () => {
  const { host, end } = await listen(waiting);
  url = `http://${host}/`;
  return end;
});

/** Invokes a reactor whose caller hangs up while it waits. @returns the status of the request, and a release of what it waits for */
async function hangUp(headers: Record<string, string> = {}) {
  const id = await createReactor(server, CODE);
  const hanging = new AbortController();
  const path = `/reactors/${id}/react`;
  const status = new Promise<number>((resolve) => {
    const stop = server.emulator.subscribe((event) => {
      if (event.kind !== 'request' || event.path !== path) return;
      stop();
      resolve(event.status);
    });
  });
  const called = once(waiting, 'request');
  const request = fetch(server.emulator.url + path, {
    method: 'POST',
    headers: { 'SVC-API-KEY': server.emulator.keys.private, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ args: { url } }),
    signal: hanging.signal,
  }).catch(() => undefined);
  const [, response] = await called;
  hanging.abort();
  await request;
  return { status, response };
}

test('an invocation whose caller hangs up is stopped', async () => {
  const { status, response } = await hangUp();
  await once(response, 'close');
  expect(await status).toBe(503);
});

test('one whose result can be asked for again with its idempotency key is not', async () => {
  const { status, response } = await hangUp({ 'SVC-IDEMPOTENCY-KEY': 'again' });
  response.end('done');
  expect(await status).toBe(200);
});
