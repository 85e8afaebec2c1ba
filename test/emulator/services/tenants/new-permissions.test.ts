import { expect, test } from 'vitest';
import { permissionsOfType } from '../../../../src/contract/permissions.js';
import { scratchDir } from '../../../support/executable.js';
import { useServer } from '../../../support/test-server.js';

const server = useServer({ dataDir: scratchDir() });
const as = 'management';

test('the seeded management application keeps permissions that were changed across a restart', async () => {
  const permissions = permissionsOfType('management').slice(1);
  const { id, name } = (await server.get('/applications/key', { as })).body;
  expect((await server.put(`/applications/${id}`, { name, permissions }, { as })).status).toBe(200);
  await server.restart();
  expect((await server.get('/applications/key', { as })).body.permissions).toEqual(permissions);
});
