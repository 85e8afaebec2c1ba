import { beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '../../support/call.js';
import { createApplication, createReactor, useServer } from '../../support/test-server.js';

const server = useServer();
const REACTOR = { name: 'shared', code: 'module.exports = async () => ({})', configuration: {} };

const TOKEN = { id: 'mine', type: 'token', data: 'x', metadata: { a: 'b' }, search_indexes: ['{{ data }}'] };

/** The other tenant, and an application of the first one. */
let other: Awaited<ReturnType<typeof createTenant>>;
let application: string;

beforeAll(async () => {
  other = await createTenant(server.emulator, 'other');
  await server.token(TOKEN);
  await createReactor(server, REACTOR.code);
  application = (await createApplication(server, { permissions: ['token:read'] })).id;
});

describe('no response contains data of another tenant', () => {
  test.each([
    '/tokens',
    '/tokens?id=mine',
    '/tokens?metadata.a=b',
    '/tokens?type=token',
    '/tokens?container=/',
  ])('%s', async (path) => {
    expect((await server.get(path, { key: other.keys.private })).body.pagination.total_items).toBe(0);
  });

  test.each(['', 'id:mine', 'data:x', 'metadata.a:b', 'NOT id:x'])('searching for "%s"', async (query) => {
    const found = await server.post('/tokens/search', { query }, { key: other.keys.private });
    expect(found.body.pagination.total_items).toBe(0);
  });

  test('reactors, usage', async () => {
    const { keys } = other;
    expect((await server.get('/reactors', { key: keys.management })).body.data).toEqual([]);
    const report = (await server.get('/tenants/self/reports/usage', { key: keys.management })).body;
    expect(report.token_report.metrics_by_type).toEqual({});
  });

  test('detokenization, alone and in a reactor, and the application of a reactor', async () => {
    const { keys } = other;
    const own = await server.post('/reactors', REACTOR, { key: keys.management });
    const args = { a: '{{ mine }}' };
    for (const used of [
      await server.post('/detokenize', args, { key: keys.private }),
      await server.post(`/reactors/${own.body.id}/react`, { args }, { key: keys.private }),
    ]) {
      expect(used.status).toBe(400);
      expect(JSON.stringify(used.body)).not.toContain('"x"');
    }
    const reactor = { ...REACTOR, application: { id: application } };
    expect((await server.post('/reactors', reactor, { key: keys.management })).status).toBe(400);
  });

  test('tokens of different tenants may have the same id and fingerprint', async () => {
    const { private: key, management } = other.keys;
    const created = await server.post('/tokens', { ...TOKEN, deduplicate_token: true }, { key });
    expect([created.status, created.body.id]).toEqual([201, 'mine']);
    const before = (await server.get('/tokens/mine')).body;
    expect(created.body.fingerprint).not.toBe(before.fingerprint);
    expect((await server.patch('/tokens/mine', { data: 'changed' }, { key })).status).toBe(200);
    expect((await server.delete('/tokens/mine', { key })).status).toBe(204);
    expect((await server.get('/tokens/mine')).body).toEqual(before);
    const log = await server.get('/logs?entity_type=token&entity_id=mine&size=100', { key: management });
    const seen = log.body.data.map(({ operation }: { operation: string }) => operation);
    expect(seen.sort()).toEqual(['create', 'delete', 'update']);
  });
});
