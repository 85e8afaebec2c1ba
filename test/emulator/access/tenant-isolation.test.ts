import { beforeAll, describe, expect, test } from 'vitest';
import type { Method } from '../../../src/contract/operation.js';
import { useServer } from '../support/server.js';

const server = useServer();
const REACTOR = { name: 'shared', code: 'module.exports = async () => ({})', configuration: {} };

/** The other tenant, and what the first one owns. */
let other: { tenant_id: string; keys: { management: string; private: string } };
let mine: { token: string; reactor: string; application: string };

beforeAll(async () => {
  const headers = { authorization: `Bearer ${server.emulator.controlToken}` };
  other = (await server.post('/_emulator/tenants', { name: 'other' }, { key: null, headers })).body;
  const application = { name: 'mine', type: 'private', permissions: ['token:read'] };
  mine = {
    token: (await server.token({ id: 'mine', type: 'token', data: 'x', metadata: { a: 'b' } })).id,
    reactor: (await server.post('/reactors', REACTOR, { as: 'management' })).body.id,
    application: (await server.post('/applications', application, { as: 'management' })).body.id,
  };
});

describe('an id of another tenant is 404 everywhere, and nothing happens to what it names', () => {
  const rows: [Method, () => string, 'management' | 'private', unknown?][] = [
    ['GET', () => `/tokens/${mine.token}`, 'private'],
    ['PATCH', () => `/tokens/${mine.token}`, 'private', { data: 'changed' }],
    ['DELETE', () => `/tokens/${mine.token}`, 'private'],
    ['GET', () => `/reactors/${mine.reactor}`, 'management'],
    ['PUT', () => `/reactors/${mine.reactor}`, 'management', { ...REACTOR, name: 'changed' }],
    ['PATCH', () => `/reactors/${mine.reactor}`, 'management', { name: 'changed' }],
    ['DELETE', () => `/reactors/${mine.reactor}`, 'management'],
    ['POST', () => `/reactors/${mine.reactor}/react`, 'private', {}],
    ['GET', () => `/applications/${mine.application}`, 'management'],
    ['PUT', () => `/applications/${mine.application}`, 'management', { name: 'changed', permissions: [] }],
    ['DELETE', () => `/applications/${mine.application}`, 'management'],
    ['POST', () => `/applications/${mine.application}/regenerate`, 'management'],
  ];

  test.each(rows)('%s %s', async (method, path, as, body) => {
    const key = other.keys[as];
    expect((await server.call(method, path(), { key, ...(body !== undefined && { body }) })).status).toBe(
      404,
    );
  });

  test('all of it is as it was', async () => {
    expect((await server.get(`/tokens/${mine.token}`)).body.data).toBe('x');
    const as = 'management';
    expect((await server.get(`/reactors/${mine.reactor}`, { as })).body.name).toBe('shared');
    expect((await server.get(`/applications/${mine.application}`, { as })).body).toMatchObject({
      name: 'mine',
      permissions: ['token:read'],
    });
  });
});

describe('nothing of another tenant is in any answer', () => {
  test.each([
    '/tokens',
    '/tokens?id=mine',
    '/tokens?metadata.a=b',
    '/tokens?type=token',
    '/tokens?container=/',
  ])('%s', async (path) => {
    expect((await server.get(path, { key: other.keys.private })).body.pagination.total_items).toBe(0);
  });

  test('search, reactors, usage', async () => {
    const { keys } = other;
    const found = await server.post('/tokens/search', { query: '' }, { key: keys.private });
    expect(found.body.pagination.total_items).toBe(0);
    expect((await server.get('/reactors', { key: keys.management })).body.data).toEqual([]);
    const report = (await server.get('/tenants/self/reports/usage', { key: keys.management })).body;
    expect(report.token_report.metrics_by_type).toEqual({});
  });

  test('applications and logs', async () => {
    const { management: key } = other.keys;
    for (const path of ['/applications', '/logs']) {
      const { data } = (await server.get(path, { key })).body;
      expect(data.every((entry: { tenant_id: string }) => entry.tenant_id === other.tenant_id)).toBe(true);
    }
    const { body } = await server.get(`/applications?id=${mine.application}`, { key });
    expect(body.data).toEqual([]);
  });

  test('detokenization and the application of a reactor', async () => {
    const { keys } = other;
    const used = await server.post('/detokenize', '{{ mine }}', { key: keys.private });
    expect(used.status).toBe(400);
    expect(JSON.stringify(used.body)).not.toContain('"x"');
    const reactor = { ...REACTOR, application: { id: mine.application } };
    expect((await server.post('/reactors', reactor, { key: keys.management })).status).toBe(400);
  });

  test('the same token id may exist in both', async () => {
    const { status } = await server.post(
      '/tokens',
      { id: 'mine', type: 'token', data: 'other' },
      { key: other.keys.private },
    );
    expect(status).toBe(201);
    expect((await server.get('/tokens/mine')).body.data).toBe('x');
  });
});
