import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { permissionsOfType } from '../../../../src/contract/permissions.js';
import { TestServer } from '../../../support/test-server.js';

/** Sets the permissions of the seeded management application and returns those after a restart. */
async function afterRestart(permissions: readonly string[]): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'permissions-'));
  const as = 'management';
  const open = async () => {
    const server = new TestServer({ dataDir });
    await server.start();
    return server;
  };
  try {
    const before = await open();
    const { id, name } = (await before.get('/applications/key', { as })).body;
    expect((await before.put(`/applications/${id}`, { name, permissions }, { as })).status).toBe(200);
    await before.close();
    const after = await open();
    const { body } = await after.get('/applications/key', { as });
    await after.close();
    return body.permissions;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

test('the seeded management application keeps permissions that were changed across a restart', async () => {
  const changed = permissionsOfType('management').slice(1);
  expect(await afterRestart(changed)).toEqual(changed);
});
