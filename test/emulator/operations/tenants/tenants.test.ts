import { expect, test } from 'vitest';
import { controlOf, useServer } from '../../../support/test-server.js';

const server = useServer();
const as = 'management';

test('of many updates of a tenant at the same time, one is stored completely', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `name ${i}`);
  const answers = await Promise.all(names.map((name) => server.put('/tenants/self', { name }, { as })));
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect(names).toContain((await server.get('/tenants/self', { as })).body.name);
});

test('a tenant that was imported from a file can be deleted', async () => {
  const control = controlOf(server);
  const { tenant_id, keys } = (await control.post('/tenants', { name: 'From a file' })).body;
  const { body: file } = await control.get(`/tenants/${tenant_id}/file`);
  expect((await control.put('/tenants/file', { ...file, settings: [] })).status).toBe(204);
  expect((await server.delete('/tenants/self', { key: keys.management })).status).toBe(204);
  expect((await server.get('/tenants/self', { key: keys.management })).status).toBe(401);
});
