import { describe, expect, test } from 'vitest';
import type { Method } from '../../../src/contract/operation-row.js';
import { OPERATION_IDS, operationRow } from '../../../src/contract/operations.js';
import { call } from '../../support/call.js';
import { sendRequest } from '../../support/http-request.js';
import { type CallOptions, type TestServer, useServer } from '../../support/test-server.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const TOO_LARGE = `"${'x'.repeat(5_242_880)}"`;

const json = { 'content-type': 'application/json' };
const text = { 'content-type': 'text/plain' };
const as = 'management';
const REACTOR = `/reactors/${UNKNOWN}`;

/** Each request would fail all the later checks too. More of the order: fixtures/http/every-request.http. */
const ROWS: [what: string, method: Method, path: string, options: CallOptions, status: number][] = [
  ['no key', 'GET', '/nothing', { key: null }, 401],
  ['empty key', 'GET', '/nothing', { key: '' }, 401],
  ['unknown key', 'PATCH', '/tenants/self', { key: 'key_x' }, 401],
  ['a path that only others of the family have', 'POST', '/3ds/sessions', { as: 'public' }, 501],
  ['content type', 'POST', '/reactors', { as, raw: TOO_LARGE, headers: text }, 415],
  ['content type of a patch', 'PATCH', REACTOR, { as, raw: '{', headers: json }, 415],
  ['size', 'PUT', REACTOR, { as, raw: `{${TOO_LARGE}` }, 413],
  ['existence', 'PUT', REACTOR, { as, raw: '{"unknown":1}' }, 404],
  ['an id that is no UUID', 'PUT', '/reactors/charge', { as, raw: '{"unknown":1}' }, 404],
];

describe('decisions.md, Status codes: the order of the checks', () => {
  const server = useServer();

  test.each(ROWS)('%s: %s %s', async (_what, method, path, options, status) => {
    expect((await server.call(method, path, options)).status).toBe(status);
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ;x=1'])(
    'the content type of JSON may be %s',
    async (type) => {
      const body = { type: 'token', data: 'x' };
      expect((await server.post('/tokens', body, { headers: { 'content-type': type } })).status).toBe(201);
    },
  );

  test.each([
    [{}, undefined, 400],
    [{ 'content-length': '2' }, '{}', 415],
    [{ 'transfer-encoding': 'chunked' }, '{}', 415],
  ])('JSON needs a type only with a body, with %j', async (more, body, status) => {
    const { url, keys } = server.emulator;
    const headers = { 'SVC-API-KEY': keys.private, ...(more as Record<string, string>) };
    expect((await sendRequest(url, 'POST', '/tokens', headers, body)).status).toBe(status);
  });
});

const server = useServer();

test('decisions.md: a path with a trailing slash is the path without it, for every operation', async () => {
  const key = await server.application({ type: 'private', permissions: [] });
  for (const id of OPERATION_IDS) {
    const { method, path, permission } = operationRow(id);
    const url = `${path.replace(/\{\w+\}/g, 'some-id')}/?page=1`;
    const { status } = await sendRequest(server.emulator.url, method, url, { 'svc-api-key': key });
    if (permission === null || permission === 'private') expect(status, id).not.toBe(404);
    else expect(status, id).toBe(403);
  }
});

test('a method that the path does not offer is 405, two slashes are another path', async () => {
  const headers = { 'svc-api-key': server.emulator.keys.private };
  const send = (method: string, path: string) => sendRequest(server.emulator.url, method, path, headers);
  expect((await send('DELETE', '/tokens/')).headers.allow).toBe('POST, GET');
  expect((await send('GET', '/tokens//')).status).toBe(404);
  expect((await send('GET', '/')).status).toBe(404);
});

test('an idempotency key counts for both paths', async () => {
  const request = { idempotencyKey: 'slash', body: { type: 'token', data: 1 } };
  const create = async (path: string) => (await call(server.emulator, 'POST', path, request)).body.id;
  expect(await create('/tokens/')).toBe(await create('/tokens'));
});

const silent = useServer();
const warning = useServer({ deprecated: 'warn' });
const refusing = useServer({ deprecated: 'refuse' });

const SEARCH = '/v2/tokens/search';
const USES: [what: string, use: (server: TestServer) => ReturnType<TestServer['get']>][] = [
  ['offset lists of tokens', (server) => server.get('/tokens')],
  ['offset searches', (server) => server.post('/tokens/search', { query: 'type:card' })],
  ['complex queries', (server) => server.post(SEARCH, { query: 'type:card OR data:1' })],
];

describe.each(USES)('%s', (_what, use) => {
  test('are marked, refused, or served in silence', async () => {
    const { status, headers } = await use(warning);
    expect([status, headers.get('deprecation'), headers.get('sunset')]).toEqual([
      200,
      expect.stringMatching(/^@\d{10}$/),
      expect.stringMatching(/ GMT$/),
    ]);
    const refused = await use(refusing);
    expect([refused.status, refused.headers.has('sunset'), refused.body.title]).toEqual([410, true, 'Gone']);
    const served = await use(silent);
    expect([served.status, served.headers.has('deprecation')]).toEqual([200, false]);
  });
});

test('what is not deprecated is served', async () => {
  for (const query of ['', 'data:4242', 'metadata.a:1 AND metadata.b:2'])
    expect((await refusing.post(SEARCH, { query })).status, query).toBe(200);
  const { body } = await refusing.get('/applications', { as: 'management' });
  const path = `/applications/${body.data[0].id}/regenerate`;
  expect((await refusing.call('POST', path, { as: 'management' })).status).toBe(410);
});
