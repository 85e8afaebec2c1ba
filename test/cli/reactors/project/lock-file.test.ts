import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { LockFile } from '../../../../src/cli/reactors/project/lock-file.js';
import { projectDir } from '../../../support/project-dir.js';

const SERVICE = 'https://api.example.com';
const reactor = (name: string) => ({ base_url: SERVICE, id: `id of ${name}`, name });

test('concurrent deployments keep the changes of each other', async () => {
  const manifest = join(await projectDir({ 'tokenctl.json': '{}' }), 'tokenctl.json');
  const before = await LockFile.open(manifest);
  await before.add(reactor('old'));
  const [one, other] = [await LockFile.open(manifest), await LockFile.open(manifest)];
  await one.add(reactor('of one'));
  await one.remove([reactor('old').id]);
  await other.add(reactor('of the other'));
  const names = (await LockFile.open(manifest)).created.map(({ name }) => name);
  expect(names.sort()).toEqual(['of one', 'of the other']);
});

test('a lock file that cannot be written is named', async () => {
  const manifest = join(await projectDir({ 'gone/tokenctl.json': '{}' }), 'gone/tokenctl.json');
  const lock = await LockFile.open(manifest);
  await rm(dirname(manifest), { recursive: true });
  await expect(lock.add(reactor('new'))).rejects.toThrow(
    `The lock file ${join(dirname(manifest), 'tokenctl.lock.json')} cannot be written (ENOENT).`,
  );
});
