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
  transform?: string;
  changed?: string[];
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
      transform: 'mask',
      created_at: expect.any(String),
    });
    expect(JSON.stringify(await logs())).not.toContain(SECRET);
  });

  test('an entry says how the data of the token was shown', async () => {
    const { id } = await server.token({ type: 'token', data: SECRET, containers: ['/shown/'] });
    for (const transform of ['redact', 'mask', 'reveal']) {
      const rule = { priority: 1, container: '/shown/', transform, permissions: ['token:read'] };
      const key = await server.application({ rules: [rule] });
      await server.get(`/tokens/${id}`, { key });
    }
    const reads = await logs(`&entity_id=${id}&operation=read`);
    expect(reads.map(({ transform }) => transform)).toEqual(['reveal', 'mask', 'redact']);
    await server.post('/detokenize', `{{ ${id} }}`);
    const [use] = await logs(`&entity_id=${id}&operation=use`);
    expect(use?.transform).toBe('reveal');
  });

  test('a list that reveals data has an entry for each revealed token', async () => {
    const { id } = await server.token({ type: 'token', data: SECRET, containers: ['/listed/'] });
    const listWith = async (transform: string) => {
      const rule = { priority: 1, container: '/listed/', transform, permissions: ['token:read'] };
      await server.get('/tokens', { key: await server.application({ rules: [rule] }) });
      return logs(`&entity_id=${id}&operation=read`);
    };
    expect(await listWith('mask')).toEqual([]);
    expect(await listWith('reveal')).toMatchObject([{ entity_id: id, transform: 'reveal' }]);
    const [last] = await logs('&operation=list');
    expect(last).toMatchObject({ transform: 'reveal' });
    expect(last).not.toHaveProperty('entity_id');
  });

  test('an update names the fields that changed, never values', async () => {
    const { id } = await server.token({ type: 'token', data: 1, metadata: { note: 'a' } });
    await server.patch(`/tokens/${id}`, { data: SECRET, metadata: { note: SECRET }, mask: null });
    const [entry] = await logs(`&entity_id=${id}&operation=update`);
    expect(entry?.changed).toEqual(['data', 'fingerprint', 'metadata']);
    const body = { name: 'pay', code: 'module.exports = async () => ({})', configuration: { KEY: SECRET } };
    const reactor = (await server.post('/reactors', body, { as })).body;
    await server.patch(`/reactors/${reactor.id}`, { configuration: { KEY: 'other' } }, { as });
    const [change] = await logs(`&entity_id=${reactor.id}&operation=update`);
    expect(change?.changed).toEqual(['configuration']);
    expect(JSON.stringify(await logs())).not.toContain(SECRET);
  });
});
