import { describe, expect, test } from 'vitest';
import { useServer } from '../../../support/test-server.js';

const server = useServer();
const as = 'management';
const SECRET = 'plain-secret-value';

interface Entry {
  entity_type: string;
  entity_id?: string;
  operation: string;
  actor_id: string;
  created_at: string;
}

async function logs(query = ''): Promise<Entry[]> {
  const { status, body } = await server.get(`/logs?size=100${query}`, { as });
  expect(status).toBe(200);
  return body.data;
}

const operations = async (type: string, id: string) =>
  (await logs(`&entity_type=${type}&entity_id=${id}`)).map(({ operation }) => operation).sort();

describe('decisions.md, audit log', () => {
  test('every create, read, update, use and delete of a token', async () => {
    const { id } = await server.token({ type: 'token', data: SECRET });
    await server.get(`/tokens/${id}`);
    await server.patch(`/tokens/${id}`, { metadata: { a: SECRET } });
    await server.post('/detokenize', `{{ ${id} }}`);
    await server.delete(`/tokens/${id}`);
    expect(await operations('token', id)).toEqual(['create', 'delete', 'read', 'update', 'use']);
  });

  test('a list is one entry without ids', async () => {
    const before = (await logs()).filter(({ operation }) => operation === 'list').length;
    await server.get('/tokens');
    const after = (await logs()).filter(({ operation }) => operation === 'list');
    expect(after.length).toBe(before + 1);
    expect(after[0]).not.toHaveProperty('entity_id');
  });

  test('every change of applications and of the tenant', async () => {
    const body = { name: 'shop', type: 'public', permissions: [] };
    const { id } = (await server.post('/applications', body, { as })).body;
    await server.put(`/applications/${id}`, { name: 'till', permissions: [] }, { as });
    await server.call('POST', `/applications/${id}/regenerate`, { as });
    await server.delete(`/applications/${id}`, { as });
    expect(await operations('application', id)).toEqual(['create', 'delete', 'update', 'update']);
    await server.put('/tenants/self', { name: 'New' }, { as });
    expect(await operations('tenant', server.emulator.tenant_id)).toEqual(['update']);
  });

  test('entries name who did it and hold no data', async () => {
    const { id } = await server.token({ type: 'token', data: SECRET, metadata: { note: SECRET } });
    const [entry] = await logs(`&entity_id=${id}`);
    const own = (await server.get('/applications/key')).body.id;
    expect(entry).toEqual({
      id: expect.any(String),
      tenant_id: server.emulator.tenant_id,
      actor_id: own,
      actor_type: 'application',
      entity_type: 'token',
      entity_id: id,
      operation: 'create',
      message: 'token created',
      created_at: expect.any(String),
    });
    expect(JSON.stringify(await logs())).not.toContain(SECRET);
  });

  test('start_date and end_date, newest first', async () => {
    await server.emulator.clock.set(Date.UTC(2040, 0, 1));
    await server.token({ type: 'token', data: 1 });
    await server.emulator.clock.set(Date.UTC(2040, 0, 3, 12));
    const { id } = await server.token({ type: 'token', data: 2 });
    const inside = await logs('&start_date=2040-01-02&end_date=2040-01-03T13:30:00%2B01:00');
    expect(inside.map(({ entity_id }) => entity_id)).toEqual([id]);
    const all = (await logs()).map(({ created_at }) => created_at);
    expect(all).toEqual(all.toSorted().reverse());
  });

  test.each(['start_date=yesterday', 'end_date=2040-13-01', 'entity_type=card', 'actor=me'])(
    '%s is 400',
    async (query) => {
      expect((await server.get(`/logs?${query}`, { as })).status).toBe(400);
    },
  );
});
