import { describe, expect, it } from 'vitest';
import { createResources } from '../../support/resources.js';
import { useServer } from '../../support/test-server.js';

const server = useServer({ rateLimit: false });

const statuses = async (requests: Promise<{ status: number }>[]) =>
  (await Promise.all(requests)).map(({ status }) => status).sort();
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

describe('of concurrent deletions one succeeds and the others get 404', () => {
  it.each(['tokens', 'reactors', 'applications'] as const)('%s', async (noun) => {
    const { keys, token, reactor, application } = await createResources(server);
    const path = `/${noun}/${{ tokens: token, reactors: reactor, applications: application }[noun]}`;
    const key = noun === 'tokens' ? keys.private : keys.management;
    const all = await statuses(times(6, () => server.delete(path, { key })));
    expect(all).toEqual([204, 404, 404, 404, 404, 404]);
  });

  it('the keys of a deleted tenant are rejected', async () => {
    const { management: key } = (await createResources(server)).keys;
    expect(await statuses(times(4, () => server.delete('/tenants/self', { key })))).toEqual([
      204, 401, 401, 401,
    ]);
  });
});

it('a resource created while its tenant is deleted is either deleted as well or rejected', async () => {
  const { keys } = await createResources(server);
  const { private: key, management } = keys;
  const create = (index: number) => [
    server.post('/tokens', { type: 'token', data: index }, { key }),
    server.post('/applications', { name: 'late', type: 'private', permissions: [] }, { key: management }),
    server.post('/reactors', { name: 'late', code: 'x', configuration: {} }, { key: management }),
  ];
  const all = await statuses([
    ...times(20, create).flat(),
    server.delete('/tenants/self', { key: management }),
    ...times(20, create).flat(),
  ]);
  expect(all.filter((status) => status !== 201 && status !== 401)).toEqual([204]);
});

it('a body that is not UTF-8 is 400, not altered', async () => {
  const response = await fetch(`${server.emulator.url}/tokenize`, {
    method: 'POST',
    headers: { 'SVC-API-KEY': server.emulator.keys.private, 'content-type': 'application/json' },
    body: Buffer.from('"\xff"', 'latin1'),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: { body: ['must be JSON in UTF-8'] } });
});
