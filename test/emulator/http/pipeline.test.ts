import { describe, expect, test } from 'vitest';
import type { Method } from '../../../src/contract/operation-row.js';
import { sendRequest } from '../../support/http-request.js';
import { type CallOptions, useServer } from '../../support/test-server.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const TOO_LARGE = `"${'x'.repeat(5_242_880)}"`;

const json = { 'content-type': 'application/json' };
const text = { 'content-type': 'text/plain' };
const as = 'management';
const REACTOR = `/reactors/${UNKNOWN}`;

/** Each request would fail all the later checks too. */
const ROWS: [what: string, method: Method, path: string, options: CallOptions, status: number][] = [
  ['no key', 'GET', '/nothing', { key: null }, 401],
  ['empty key', 'GET', '/nothing', { key: '' }, 401],
  ['unknown key', 'PATCH', '/tenants/self', { key: 'key_x' }, 401],
  ['unknown path', 'GET', '/nothing', { as: 'public' }, 404],
  ['a path that only others of the family have', 'POST', '/3ds/sessions', { as: 'public' }, 501],
  ['unknown method', 'PATCH', '/tenants/self', { as: 'public' }, 405],
  ['permission', 'POST', '/reactors', { as: 'public', raw: '{', headers: text }, 403],
  ['content type', 'POST', '/reactors', { as, raw: TOO_LARGE, headers: text }, 415],
  ['content type of a patch', 'PATCH', REACTOR, { as, raw: '{', headers: json }, 415],
  ['size', 'PUT', REACTOR, { as, raw: `{${TOO_LARGE}` }, 413],
  ['JSON', 'PUT', REACTOR, { as, raw: '{' }, 400],
  ['existence', 'PUT', REACTOR, { as, raw: '{"unknown":1}' }, 404],
  ['an id that is no UUID', 'PUT', '/reactors/charge', { as, raw: '{"unknown":1}' }, 404],
  ['body', 'POST', '/reactors', { as, raw: '{"unknown":1}' }, 400],
];

describe('decisions.md, Status codes: the order of the checks', () => {
  const server = useServer();

  test.each(ROWS)('%s: %s %s', async (_what, method, path, options, status) => {
    expect((await server.call(method, path, options)).status).toBe(status);
  });

  test('405 carries Allow with every method of the path', async () => {
    const { headers } = await server.put('/tokens', {});
    expect(headers.get('allow')).toBe('POST, GET');
    const id = await server.call('POST', `/reactors/${UNKNOWN}`, { as });
    expect(id.headers.get('allow')).toBe('GET, PUT, PATCH, DELETE');
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

  test.each([
    ['Application/Merge-Patch+JSON; charset=utf-8', 404],
    ['application/json', 415],
    ['application/merge-patch', 415],
    ['application/json-patch+json', 415],
    ['application/x-www-form-urlencoded', 415],
  ])('the content type of a patch as %s: %i', async (type, status) => {
    const options = { raw: '{}', headers: { 'content-type': type } };
    expect((await server.call('PATCH', '/tokens/unknown', options)).status).toBe(status);
  });
});
