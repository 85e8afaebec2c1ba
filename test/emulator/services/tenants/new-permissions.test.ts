import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { permissionsOfType } from '../../../../src/contract/permissions.js';
import { TestServer } from '../../../support/test-server.js';

const ALL = permissionsOfType('management');
const EARLIER = ALL.filter((name) => !/^(proxy|webhook):/.test(name));

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

test('the seeded management application of an earlier version gets the new permissions', async () => {
  expect(await afterRestart(EARLIER)).toEqual(ALL);
});

test('one whose permissions were changed keeps them', async () => {
  const changed = EARLIER.slice(1);
  expect(await afterRestart(changed)).toEqual(changed);
});
