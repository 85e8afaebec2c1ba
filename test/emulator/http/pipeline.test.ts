import { describe, expect, test } from 'vitest';
import type { Method } from '../../../src/contract/operation-row.js';
import { type CallOptions, useServer } from '../../support/test-server.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const TOO_LARGE = `"${'x'.repeat(5_242_880)}"`;

interface Row {
  what: string;
  method: Method;
  path: string;
  options: CallOptions;
  status: number;
}

const json = { 'content-type': 'application/json' };
const text = { 'content-type': 'text/plain' };

/** Each request would fail all the later checks too. */
const ROWS: Row[] = [
  { what: 'no key', method: 'GET', path: '/nothing', options: { key: null }, status: 401 },
  { what: 'empty key', method: 'GET', path: '/nothing', options: { key: '' }, status: 401 },
  { what: 'unknown key', method: 'PATCH', path: '/tenants/self', options: { key: 'key_x' }, status: 401 },
  { what: 'unknown path', method: 'GET', path: '/nothing', options: { as: 'public' }, status: 404 },
  { what: 'unknown method', method: 'PATCH', path: '/tenants/self', options: { as: 'public' }, status: 405 },
  {
    what: 'permission',
    method: 'POST',
    path: '/reactors',
    options: { as: 'public', raw: '{', headers: text },
    status: 403,
  },
  {
    what: 'content type',
    method: 'POST',
    path: '/reactors',
    options: { as: 'management', raw: TOO_LARGE, headers: text },
    status: 415,
  },
  {
    what: 'content type of a patch',
    method: 'PATCH',
    path: `/reactors/${UNKNOWN}`,
    options: { as: 'management', raw: '{', headers: json },
    status: 415,
  },
  {
    what: 'size',
    method: 'PUT',
    path: `/reactors/${UNKNOWN}`,
    options: { as: 'management', raw: `{${TOO_LARGE}` },
    status: 413,
  },
  {
    what: 'JSON',
    method: 'PUT',
    path: `/reactors/${UNKNOWN}`,
    options: { as: 'management', raw: '{' },
    status: 400,
  },
  {
    what: 'existence',
    method: 'PUT',
    path: `/reactors/${UNKNOWN}`,
    options: { as: 'management', raw: '{"unknown":1}' },
    status: 404,
  },
  {
    what: 'an id that is no UUID',
    method: 'PUT',
    path: '/reactors/charge',
    options: { as: 'management', raw: '{"unknown":1}' },
    status: 404,
  },
  {
    what: 'body',
    method: 'POST',
    path: '/reactors',
    options: { as: 'management', raw: '{"unknown":1}' },
    status: 400,
  },
];

describe('decisions.md, Status codes: the order of the checks', () => {
  const server = useServer();

  test.each(ROWS)('$what: $method $path gives $status', async ({ method, path, options, status }) => {
    const answer = await server.call(method, path, options);
    expect(answer.status).toBe(status);
  });

  test('the permission on the containers comes after the validation of the body', async () => {
    const key = await server.application({
      rules: [{ priority: 1, container: '/a/', transform: 'reveal', permissions: ['token:create'] }],
    });
    const body = { type: 'token', data: 'x', containers: ['/b/'] };
    expect((await server.post('/tokens', { ...body, unknown: 1 }, { key })).status).toBe(400);
    expect((await server.post('/tokens', body, { key })).status).toBe(403);
  });

  test('an update checks that the token exists, then the body, then the permission on the containers', async () => {
    const key = await server.application({
      rules: [{ priority: 1, container: '/a/', transform: 'reveal', permissions: ['token:update'] }],
    });
    const { id } = await server.token({ type: 'token', data: 'x', containers: ['/b/'] });
    expect((await server.patch('/tokens/unknown', { unknown: 1 }, { key })).status).toBe(404);
    expect((await server.patch(`/tokens/${id}`, { unknown: 1 }, { key })).status).toBe(400);
    expect((await server.patch(`/tokens/${id}`, {}, { key })).status).toBe(403);
  });

  test('405 carries Allow with every method of the path', async () => {
    const { headers } = await server.put('/tokens', {});
    expect(headers.get('allow')).toBe('POST, GET');
    const id = await server.call('POST', `/reactors/${UNKNOWN}`, { as: 'management' });
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
