import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { LockFile } from '../../../../src/cli/reactors/project/lock-file.js';
import { projectDir } from '../../../support/project-dir.js';

const SERVICE = 'https://api.example.com';
const reactor = (name: string) => ({ base_url: SERVICE, id: `id of ${name}`, name });

test('two deployments of a manifest at the same time keep what the other one created and deleted', async () => {
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

test('a record that cannot be written is named, with what follows from that', async () => {
  const manifest = join(await projectDir({ 'gone/tokenctl.json': '{}' }), 'gone/tokenctl.json');
  const lock = await LockFile.open(manifest);
  await rm(dirname(manifest), { recursive: true });
  await expect(lock.add(reactor('new'))).rejects.toThrow(
    `The lock file ${join(dirname(manifest), 'tokenctl.lock.json')} cannot be written (ENOENT).`,
  );
});
