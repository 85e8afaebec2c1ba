import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../support/server.js';

const server = useServer();

type Rule = { priority: number; container: string; transform: string; permissions: string[] };
const rule = (priority: number, container: string, transform: string, ...permissions: string[]): Rule => ({
  priority,
  container,
  transform,
  permissions: permissions.map((name) => `token:${name}`),
});

beforeAll(async () => {
  await server.token({
    type: 'card_number',
    data: '4242424242424242',
    id: 'pci-high',
    search_indexes: ['x'],
  });
  await server.token({
    type: 'card_number',
    data: '4242424242424242',
    id: 'pci-low',
    containers: ['/pci/low/'],
    search_indexes: ['x'],
  });
  await server.token({ type: 'token', data: 'plain', id: 'general', search_indexes: ['x'] });
  await server.token({
    type: 'token',
    data: 'two',
    id: 'two',
    containers: ['/general/high/', '/pci/low/'],
    mask: 'masked',
    search_indexes: ['x'],
  });
});

const read = async (id: string, key: string) => {
  const { status, body } = await server.get(`/tokens/${id}`, { key });
  return status === 200 ? ('data' in body ? body.data : 'left out') : status;
};

describe('access rules', () => {
  it.each<[string, Rule[], Record<string, unknown>]>([
    [
      'reveal',
      [rule(1, '/', 'reveal', 'read')],
      { 'pci-high': '4242424242424242', general: 'plain', two: 'two' },
    ],
    [
      'mask; without a mask data is left out',
      [rule(1, '/', 'mask', 'read')],
      { 'pci-high': 'XXXXXXXXXXXX4242', general: 'left out', two: 'masked' },
    ],
    [
      'redact leaves data out',
      [rule(1, '/', 'redact', 'read')],
      { 'pci-high': 'left out', general: 'left out', two: 'left out' },
    ],
    [
      'a grant covers everything below',
      [rule(1, '/pci/', 'reveal', 'read')],
      { 'pci-high': '4242424242424242', 'pci-low': '4242424242424242', general: 403 },
    ],
    [
      'and nothing above or beside',
      [rule(1, '/pci/high/', 'reveal', 'read')],
      { 'pci-high': '4242424242424242', 'pci-low': 403, general: 403 },
    ],
    [
      'one covered container of the token suffices',
      [rule(1, '/pci/low/', 'reveal', 'read')],
      { two: 'two', 'pci-low': '4242424242424242' },
    ],
    [
      'the lowest priority that covers and grants decides',
      [rule(2, '/pci/', 'reveal', 'read'), rule(1, '/pci/high/', 'mask', 'read')],
      { 'pci-high': 'XXXXXXXXXXXX4242', 'pci-low': '4242424242424242' },
    ],
    [
      'a rule that does not grant the permission is passed over',
      [rule(1, '/', 'redact', 'create'), rule(2, '/', 'reveal', 'read')],
      { general: 'plain' },
    ],
  ])('%s', async (_name, rules, expected) => {
    const key = await server.application({ rules });
    for (const [id, data] of Object.entries(expected)) expect(await read(id, key), id).toEqual(data);
  });

  it('tenant-wide permissions mask what they show', async () => {
    const key = await server.application({ permissions: ['token:read', 'token:search'] });
    expect(await read('pci-high', key)).toBe('XXXXXXXXXXXX4242');
    expect(await read('general', key)).toBe('left out');
    expect((await server.post('/tokens/search', { query: 'id:pci-high' }, { key })).body.data[0].data).toBe(
      'XXXXXXXXXXXX4242',
    );
    expect((await server.get('/tokens?id=pci-high', { key })).body.data[0].data).toBe('XXXXXXXXXXXX4242');
  });

  it('in lists and searches the tokens that no rule covers are left out and not counted', async () => {
    const key = await server.application({
      rules: [
        rule(1, '/pci/high/', 'mask', 'read', 'search'),
        rule(2, '/pci/low/', 'reveal', 'read', 'search'),
      ],
    });
    for (const { body } of [
      await server.get('/tokens', { key }),
      await server.post('/tokens/search', { query: 'data:x' }, { key }),
    ]) {
      expect(body.pagination.total_items).toBe(3);
      const shown = Object.fromEntries(
        body.data.map(({ id, data }: { id: string; data: unknown }) => [id, data]),
      );
      expect(shown).toEqual({ 'pci-high': 'XXXXXXXXXXXX4242', 'pci-low': '4242424242424242', two: 'two' });
    }
  });

  it('reading and searching are permissions of their own', async () => {
    const key = await server.application({ rules: [rule(1, '/', 'reveal', 'search')] });
    expect((await server.post('/tokens/search', {}, { key })).status).toBe(200);
    expect((await server.get('/tokens', { key })).status).toBe(403);
  });
});

describe('containers of a create, an update and a delete', () => {
  it('creating needs token:create on the containers', async () => {
    const key = await server.application({ rules: [rule(1, '/a/', 'mask', 'create')] });
    const create = (containers: string[]) =>
      server.post('/tokens', { type: 'token', data: 1, containers }, { key });
    expect((await create(['/a/b/'])).status).toBe(201);
    expect((await create(['/b/'])).status).toBe(403);
    expect((await create(['/a/', '/b/'])).status).toBe(403);
    expect((await server.post('/tokens', { type: 'token', data: 1 }, { key })).status).toBe(403);
  });

  it('the create response is masked, even under reveal', async () => {
    const key = await server.application({ rules: [rule(1, '/', 'reveal', 'create')] });
    expect(await server.token({ type: 'card_number', data: '4242424242424242' }, { key })).toMatchObject({
      data: 'XXXXXXXXXXXX4242',
    });
  });

  it('updating needs one covered container; changing containers the permission on the old and the new ones', async () => {
    const key = await server.application({ rules: [rule(1, '/a/', 'mask', 'update')] });
    const { id } = await server.token({ type: 'token', data: 1, containers: ['/a/', '/b/'] });
    const inA = await server.token({ type: 'token', data: 1, containers: ['/a/'] });
    const inB = await server.token({ type: 'token', data: 1, containers: ['/b/'] });
    expect((await server.patch(`/tokens/${id}`, { data: 2 }, { key })).status).toBe(200);
    expect((await server.patch(`/tokens/${inB.id}`, { data: 2 }, { key })).status).toBe(403);
    expect((await server.patch(`/tokens/${inA.id}`, { containers: ['/a/x/'] }, { key })).status).toBe(200);
    expect((await server.patch(`/tokens/${inA.id}`, { containers: ['/b/'] }, { key })).status).toBe(403);
    expect((await server.patch(`/tokens/${id}`, { containers: ['/a/'] }, { key })).status).toBe(403);
    expect((await server.get(`/tokens/${inA.id}`)).body.containers).toEqual(['/a/x/']);
  });

  it('deleting needs one covered container', async () => {
    const key = await server.application({ rules: [rule(1, '/a/', 'mask', 'delete')] });
    const both = await server.token({ type: 'token', data: 1, containers: ['/a/', '/b/'] });
    const inB = await server.token({ type: 'token', data: 1, containers: ['/b/'] });
    expect((await server.delete(`/tokens/${inB.id}`, { key })).status).toBe(403);
    expect((await server.delete(`/tokens/${both.id}`, { key })).status).toBe(204);
  });

  it('validation of the body comes before the permission on the containers, existence before both', async () => {
    const key = await server.application({ rules: [rule(1, '/nowhere/', 'mask', 'create', 'update')] });
    expect((await server.post('/tokens', { type: 'card', data: {} }, { key })).status).toBe(400);
    expect((await server.patch('/tokens/unknown', { type: 1 }, { key })).status).toBe(404);
    expect((await server.patch('/tokens/general', { type: 1 }, { key })).status).toBe(400);
    expect((await server.patch('/tokens/general', {}, { key })).status).toBe(403);
  });
});
