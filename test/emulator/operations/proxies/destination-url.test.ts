import { describe, expect, test } from 'vitest';
import { controlOf, useServer } from '../../../support/test-server.js';

const as = 'management';
const HTTPS_REQUIRED = {
  destination_url: ['must be an https URL; http is accepted only for loopback addresses'],
};

describe.each(['none', 'loopback', 'open'] as const)('the network policy is %s', (mode) => {
  const server = useServer({ network: { mode } });

  test.each([
    ['http to another machine is refused', 'http://192.0.2.1/v1', HTTPS_REQUIRED],
    ['http to a name of no machine is refused', 'http://unknown.invalid/v1', HTTPS_REQUIRED],
    ['http to this machine is accepted', 'http://localhost:9/v1', undefined],
    ['https is accepted, although it may not be reachable', 'https://192.0.2.1/v1', undefined],
  ])('%s', async (_what, destination_url, errors) => {
    const created = await server.post('/proxies', { name: 'one', destination_url }, { as });
    expect([created.status, created.body.errors]).toEqual([errors ? 400 : 201, errors]);
    const usual = { name: 'two', destination_url: 'http://127.0.0.1:9/' };
    const path = `/proxies/${(await server.post('/proxies', usual, { as })).body.id}`;
    const patched = await server.patch(path, { destination_url }, { as });
    expect([patched.status, patched.body?.errors]).toEqual([errors ? 400 : 204, errors]);
    const replaced = await server.put(path, { name: 'two', destination_url }, { as });
    expect([replaced.status, replaced.body.errors]).toEqual([errors ? 400 : 200, errors]);
  });
});

describe('a proxy of a version that accepted http to another machine', () => {
  const server = useServer();
  const control = controlOf(server);

  test('is imported, and changed as long as the URL stays', async () => {
    const usual = { name: 'one', destination_url: 'http://127.0.0.1:9/' };
    const path = `/proxies/${(await server.post('/proxies', usual, { as })).body.id}`;
    const file = (await control.get(`/tenants/${server.emulator.ready.tenant_id}/file`)).body;
    const destination_url = 'http://192.0.2.1/v1';
    const earlier = { ...file, proxies: [{ ...file.proxies[0], destination_url }] };
    expect((await control.put('/tenants/file', earlier)).status).toBe(204);
    expect((await server.patch(path, { name: 'two', destination_url }, { as })).status).toBe(204);
    expect((await server.put(path, { name: 'three', destination_url }, { as })).body).toMatchObject({
      name: 'three',
      destination_url,
    });
    const other = { name: 'three', destination_url: 'http://192.0.2.2/v1' };
    expect((await server.put(path, other, { as })).body.errors).toEqual(HTTPS_REQUIRED);
  });
});
