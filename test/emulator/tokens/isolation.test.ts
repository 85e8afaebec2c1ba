import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../support/server.js';
import { createTenant } from '../support/tenants.js';

const server = useServer();
const ID = 'of-the-first-tenant';
const body = {
  type: 'token',
  data: 'isolated',
  id: ID,
  metadata: { a: 'b' },
  search_indexes: ['{{ data }}'],
};
let own: Awaited<ReturnType<typeof server.token>>;
let key = '';
let management = '';

beforeAll(async () => {
  own = await server.token(body);
  const other = await createTenant(server.emulator, 'Other');
  key = other.keys.private;
  management = other.keys.management;
});

describe('a token of another tenant does not exist, in any operation', () => {
  it.each(['GET', 'PATCH', 'DELETE'] as const)('%s /tokens/{id} is 404', async (method) => {
    const options = method === 'PATCH' ? { key, body: { data: 1 } } : { key };
    expect((await server.call(method, `/tokens/${ID}`, options)).status).toBe(404);
  });

  it.each(['', `?id=${ID}`, '?metadata.a=b', '?type=token', '?container=/'])(
    'GET /tokens%s finds nothing',
    async (query) => {
      expect((await server.get(`/tokens${query}`, { key })).body.pagination.total_items).toBe(0);
    },
  );

  it.each(['', `id:${ID}`, 'data:isolated', 'metadata.a:b', 'NOT id:x'])(
    'searching for "%s" finds nothing',
    async (query) => {
      expect((await server.post('/tokens/search', { query }, { key })).body.data).toEqual([]);
    },
  );

  it('detokenizing it, alone or in a reactor, is 400', async () => {
    expect((await server.post('/detokenize', `{{ ${ID} }}`, { key })).status).toBe(400);
    const reactor = {
      name: 'r',
      code: 'module.exports = async (req) => ({ raw: req.args });',
      configuration: {},
    };
    const created = await server.post('/reactors', reactor, { key: management });
    const path = `/reactors/${created.body.id}/react`;
    expect((await server.post(path, { args: { a: `{{ ${ID} }}` } }, { key })).status).toBe(400);
    expect((await server.post(path, { args: {} })).status).toBe(404);
  });

  it('neither its fingerprint nor its id stands in the way', async () => {
    const { status, body: second } = await server.post(
      '/tokens',
      { ...body, deduplicate_token: true },
      { key },
    );
    expect(status).toBe(201);
    expect(second.id).toBe(ID);
    expect(second.fingerprint).not.toBe(own.fingerprint);
    await server.patch(`/tokens/${ID}`, { data: 'changed' }, { key });
    expect((await server.get(`/tokens/${ID}`)).body.data).toBe('isolated');
    await server.delete(`/tokens/${ID}`, { key });
    expect((await server.get(`/tokens/${ID}`)).status).toBe(200);
  });

  it('neither the audit log nor the usage report tells of it', async () => {
    const log = await server.get(`/logs?entity_type=token&entity_id=${ID}&size=100`, { key: management });
    const seen = log.body.data.map(({ operation }: { operation: string }) => operation);
    expect(seen.sort()).toEqual(['create', 'delete', 'update']);
    const usage = await server.get('/tenants/self/reports/usage', { key: management });
    expect(usage.body.token_report.metrics_by_type).toEqual({});
  });
});
