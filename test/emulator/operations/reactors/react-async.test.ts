import { beforeAll, describe, expect, test, vi } from 'vitest';
import { SMALL_BYTES } from '../../../../emulator/lib/turns.js';
import type { Answer } from '../../../support/call.js';
import { holds } from '../../../support/data-dir.js';
import { scratchDir } from '../../../support/executable.js';
import { startGate } from '../../../support/http-server.js';
import { PATIENCE } from '../../../support/patience.js';
import { controlOf, createReactor, useServer } from '../../../support/test-server.js';

const SECRET = 'a-secret-in-a-result';
const DAY_MS = 86_400_000;

const dataDir = scratchDir();
const server = useServer({ dataDir });
let echo: string;

beforeAll(async () => {
  echo = await createReactor(server, 'module.exports = async ({ args }) => ({ raw: args });');
});

async function start(reactor: string, args: object, options: { key?: string } = {}): Promise<string> {
  const { status, body, headers } = await server.post(`/reactors/${reactor}/react-async`, { args }, options);
  expect([status, headers.get('svc-request-id')]).toEqual([202, body.asyncReactorRequestId]);
  return `/reactors/${reactor}/results/${body.asyncReactorRequestId}`;
}

/** What large requests hold, as the emulator reports it. */
const heldBytes = async (): Promise<number> =>
  (await controlOf(server).get('/stats')).body.large_requests.held_bytes;

/** Waits until the status is another one than 404. */
async function result(path: string): Promise<Answer> {
  const get = async () => {
    const answer = await server.get(path);
    expect(answer.status).not.toBe(404);
    return answer;
  };
  return vi.waitFor(get, PATIENCE);
}

describe('decisions.md, Newer generation: react-async', () => {
  test('its arguments are charged to the tenant, a little of them at least, until the reactor ends', async () => {
    const gate = await startGate();
    const id = await createReactor(
      server,
      `module.exports = async () => { await fetch('${gate.url}'); return { raw: 1 }; };`,
    );
    const paths = [await start(id, { text: 'x'.repeat(1_000_000) }), await start(id, {})];
    expect(await heldBytes()).toBeGreaterThan(2_000_000 + SMALL_BYTES);
    gate.open();
    for (const path of paths) await result(path);
    expect(await heldBytes()).toBe(0);
  });

  test.each([200, 409])('a CustomHttpResponseError with status %i is answered as it is', async (status) => {
    const code = `const { CustomHttpResponseError } = require('svc-reactor-errors');
      module.exports = async () => { throw new CustomHttpResponseError({ status: ${status}, headers: { 'x-a': 'b' }, body: { own: true } }); };`;
    const path = await start(await createReactor(server, code), {});
    await vi.waitFor(async () => {
      const headers = { 'svc-api-key': server.emulator.keys.private };
      const response = await fetch(`${server.emulator.url}${path}`, { headers });
      expect([response.status, response.headers.get('x-a'), await response.json()]).toEqual([
        status,
        'b',
        { own: true },
      ]);
    }, PATIENCE);
  });

  test('only the application that invoked the reactor gets the result', async () => {
    const path = await start(echo, { n: 1 });
    await result(path);
    const key = await server.application({ type: 'private', permissions: ['token:use'] });
    expect((await server.get(path, { key })).status).toBe(404);
    const other = await createReactor(server, 'module.exports = async () => ({});');
    expect((await server.get(path.replace(echo, other))).status).toBe(404);
  });

  test('a result is deleted with a token of it, and erased', async () => {
    const { id } = await server.token({ type: 'token', data: SECRET });
    const path = await start(echo, { secret: `{{ ${id} }}` });
    expect((await result(path)).body).toEqual({ raw: { secret: SECRET } });
    expect(await holds(dataDir, SECRET)).toBe(true);
    await server.delete(`/tokens/${id}`);
    expect((await server.get(path)).status).toBe(404);
    await expect.poll(() => holds(dataDir, SECRET)).toBe(false);
  });

  test('a result is not stored if a token of it is deleted while the reactor runs', async () => {
    const { id } = await server.token({ type: 'token', data: SECRET });
    const gate = await startGate();
    const slow = await createReactor(
      server,
      `module.exports = async ({ args }) => { await fetch('${gate.url}'); return { raw: args }; };`,
    );
    const path = await start(slow, { secret: `{{ ${id} }}` });
    await gate.reached;
    await server.delete(`/tokens/${id}`);
    gate.open();
    const last = await start(slow, { n: 2 });
    await result(last);
    expect((await server.get(path)).status).toBe(404);
  });

  test('a result survives a restart, and expires after 24 hours', async () => {
    const path = await start(echo, { n: 3 });
    await result(path);
    await server.restart();
    expect((await server.get(path)).body).toEqual({ raw: { n: 3 } });
    await server.emulator.clock.advance(DAY_MS - 60_000);
    expect((await server.get(path)).status).toBe(200);
    await server.emulator.clock.advance(120_000);
    expect((await server.get(path)).status).toBe(404);
  });
});
