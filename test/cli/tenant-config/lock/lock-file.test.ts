import { once } from 'node:events';
import { watch } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  LockFile,
  type LockOwner,
  type ServiceIdentity,
} from '../../../../src/cli/tenant-config/lock/lock-file.js';
import { readCode } from '../../../../src/cli/tenant-config/lock/version-code.js';
import { projectDir } from '../../../support/project-dir.js';

const REMOTE = { name: 'https://api.example.com', tenantId: 'tenant 1', isOnThisMachine: false };
const EMULATOR = { name: 'emulator', tenantId: 'tenant 2', isOnThisMachine: true };
const reactor = (name: string) => ({
  kind: 'reactor' as const,
  id: `id of ${name}`,
  name,
  created: true,
});

/** Opens a lock file that never gives up the records of another tenant. */
const openLock = (owner: LockOwner, service: ServiceIdentity, replaces = false) =>
  LockFile.open(owner, service, async () => replaces);

/** Records a reactor and writes the file. */
async function record(lock: LockFile, name: string): Promise<void> {
  lock.add(reactor(name));
  await lock.save();
}

async function manifestIn(files: Readonly<Record<string, string>> = {}): Promise<string> {
  return join(await projectDir({ 'tokenctl.json': '{}', ...files }), 'tokenctl.json');
}

async function namesOf(manifest: string, service: ServiceIdentity): Promise<string[]> {
  return (await openLock({ path: manifest }, service)).objects.map(({ name }) => name).sort();
}

test('concurrent applies keep the changes of each other', async () => {
  const manifest = await manifestIn();
  await record(await openLock({ path: manifest }, REMOTE), 'old');
  const [one, other] = [
    await openLock({ path: manifest }, REMOTE),
    await openLock({ path: manifest }, REMOTE),
  ];
  one.add(reactor('of one'));
  one.remove([reactor('old').id]);
  await one.save();
  await record(other, 'of the other');
  expect(await namesOf(manifest, REMOTE)).toEqual(['of one', 'of the other']);
});

test('the records of a service are those of its name', async () => {
  const manifest = await manifestIn();
  for (const service of [REMOTE, EMULATOR])
    await record(await openLock({ path: manifest }, service), service.tenantId);
  for (const service of [REMOTE, EMULATOR])
    expect(await namesOf(manifest, service)).toEqual([service.tenantId]);
});

test('records of another tenant of the service are refused, or replaced by the first change', async () => {
  const manifest = await manifestIn();
  await record(await openLock({ path: manifest }, REMOTE), 'before');
  const other = { ...REMOTE, tenantId: 'tenant 3', tenantName: 'Other' };
  await expect(openLock({ path: manifest }, other)).rejects.toThrow(
    'records the tenant tenant 1 of https://api.example.com, but the key belongs to the tenant Other tenant 3.',
  );
  const lock = await openLock({ path: manifest }, other, true);
  expect(await namesOf(manifest, REMOTE)).toEqual(['before']);
  await record(lock, 'after');
  expect(await namesOf(manifest, other)).toEqual(['after']);
  await expect(openLock({ path: manifest }, REMOTE)).rejects.toThrow('records the tenant Other tenant 3');
});

test('an object that was created stays so, whatever is recorded later', async () => {
  const manifest = await manifestIn();
  const lock = await openLock({ path: manifest }, REMOTE);
  lock.add(reactor('a'));
  lock.add({ ...reactor('a'), name: 'renamed', created: false });
  expect(lock.objects).toEqual([{ ...reactor('a'), name: 'renamed' }]);
});

const VERSION = { deployed_at: '2026-01-01', application: null, configuration: {} };

test('the last ten versions are kept with their code', async () => {
  const manifest = await manifestIn();
  const lock = await openLock({ path: manifest }, REMOTE);
  lock.add(reactor('a'));
  const hashes = Array.from({ length: 12 }, (_, index) => String(index).padStart(64, 'a'));
  for (const hash of hashes)
    await lock.addVersion('id of a', `code ${hash}`, {
      hash: hash.replaceAll(/^a{48}/g, hash.slice(-16).replaceAll('a', '0')),
      ...VERSION,
    });
  await lock.save();
  const versions = lock.find('id of a')?.versions ?? [];
  expect(versions.map(({ number }) => number)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(await readdir(join(dirname(manifest), 'tokenctl.versions'))).toHaveLength(10);
  expect(await readCode(lock.path, versions[0]?.hash ?? '')).toBe(`code ${hashes[2]}`);
});

test('a lock file that cannot be read or written is named', async () => {
  const manifest = await manifestIn({ 'gone/tokenctl.json': '{}' });
  const path = join(dirname(manifest), 'tokenctl.lock.json');
  await writeFile(path, '{}');
  await expect(openLock({ path: manifest }, REMOTE)).rejects.toThrow(`${path} is not a valid lock file.`);
  expect(await readFile(path, 'utf8')).toBe('{}');
  const gone = join(dirname(manifest), 'gone');
  const lock = await openLock({ path: join(gone, 'tokenctl.json') }, REMOTE);
  await rm(gone, { recursive: true });
  await expect(record(lock, 'new')).rejects.toThrow(
    `The lock file ${join(gone, 'tokenctl.lock.json')} cannot be written (ENOENT).`,
  );
});

test('a file of a newer version says so, and is left alone', async () => {
  const path = await manifestIn({ 'tokenctl.lock.json': '{"version":3}' });
  await expect(openLock({ path }, REMOTE)).rejects.toThrow(
    'was written by a newer tokenctl: its version is 3, this one knows 2.',
  );
});

test('an environment has a file of its own', async () => {
  const path = await manifestIn();
  const locks = [
    await openLock({ path }, REMOTE),
    await openLock({ path, environment: 'production' }, REMOTE),
  ];
  for (const lock of locks) {
    lock.add(reactor('a'));
    await lock.addVersion('id of a', 'code', { ...VERSION, hash: '0'.repeat(64) });
    await lock.save();
  }
  expect((await readdir(dirname(path))).sort()).toEqual([
    'tokenctl.json',
    'tokenctl.lock.json',
    'tokenctl.production.lock.json',
    'tokenctl.production.versions',
    'tokenctl.versions',
  ]);
});

test('what many objects change is written once, and intents before anything else', async () => {
  const manifest = await manifestIn();
  const path = join(dirname(manifest), 'tokenctl.lock.json');
  const lock = await openLock({ path: manifest }, REMOTE);
  const names = Array.from({ length: 500 }, (_, index) => `reactor ${index}`);
  const writes = async (task: () => Promise<unknown>) => {
    const watcher = watch(dirname(path));
    const seen: string[] = [];
    watcher.on('change', (_, name) => seen.push(String(name)));
    await task();
    await writeFile(join(dirname(path), 'end'), '');
    while (!seen.includes('end')) await once(watcher, 'change');
    watcher.close();
    await rm(join(dirname(path), 'end'));
    return seen.filter((name) => name === 'tokenctl.lock.json').length;
  };

  for (const name of names) lock.intend({ kind: 'reactor', name });
  expect(await writes(() => Promise.all(names.map(() => lock.saveIntents())))).toBe(1);
  expect((await openLock({ path: manifest }, REMOTE)).intents).toHaveLength(names.length);
  expect(await writes(async () => names.map((name) => lock.add(reactor(name))))).toBe(0);
  expect(await writes(() => lock.save())).toBe(1);
  expect(await namesOf(manifest, REMOTE)).toEqual(names.toSorted());
});

test('code that is being stored is not removed as unused', async () => {
  const manifest = await manifestIn();
  const lock = await openLock({ path: manifest }, REMOTE);
  const hashes = Array.from({ length: 20 }, (_, index) =>
    String(index).padStart(64, '0').split('').toReversed().join(''),
  );
  await Promise.all(
    hashes.map(async (hash, index) => {
      lock.add(reactor(`${index}`));
      await lock.addVersion(`id of ${index}`, `code ${index}`, { ...VERSION, hash });
      await lock.save();
    }),
  );
  for (const [index, hash] of hashes.entries()) expect(await readCode(lock.path, hash)).toBe(`code ${index}`);
});
