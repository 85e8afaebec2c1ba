import { execFileSync } from 'node:child_process';
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  LockFile,
  type LockOwner,
  readCode,
  type ServiceIdentity,
} from '../../../../src/cli/tenant-config/lock/lock-file.js';
import { projectDir, tokenctl } from '../../../support/executable.js';
import { commit } from '../../../support/project-repository.js';

const REMOTE = { name: 'https://api.example.com', tenantId: 'tenant 1', isOnThisMachine: false };
const EMULATOR = { name: 'emulator', tenantId: 'tenant 2', isOnThisMachine: true };
const reactor = (name: string) => ({ kind: 'reactor' as const, id: `id of ${name}`, name, created: true });

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

test('the records of a service are those of its name', async () => {
  const manifest = await manifestIn();
  for (const service of [REMOTE, EMULATOR])
    await record(await openLock({ path: manifest }, service), service.tenantId);
  for (const service of [REMOTE, EMULATOR])
    expect(await namesOf(manifest, service)).toEqual([service.tenantId]);
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

test('the file is written if a record has changed, and only then', async () => {
  const manifest = await manifestIn();
  const path = join(dirname(manifest), 'tokenctl.lock.json');
  await record(await openLock({ path: manifest }, { ...REMOTE, tenantName: 'Acme' }), 'a');
  const { mtimeMs, ino } = await stat(path);
  const lock = await openLock({ path: manifest }, REMOTE);
  lock.add(reactor('a'));
  await lock.save();
  expect(await stat(path)).toMatchObject({ mtimeMs, ino });
  lock.intend({ kind: 'reactor', name: 'b' });
  await lock.save();
  expect((await openLock({ path: manifest }, REMOTE)).intents).toMatchObject([{ name: 'b' }]);
});

test('an intent ends when its object is recorded, or was not created', async () => {
  const lock = await openLock({ path: await manifestIn() }, REMOTE);
  for (const name of ['a', 'b', 'c']) lock.intend({ kind: 'reactor', name });
  lock.add(reactor('a'));
  lock.withdraw({ kind: 'reactor', name: 'b' });
  expect(lock.objects.map(({ name, id }) => [name, id])).toEqual([
    ['c', ''],
    ['a', 'id of a'],
  ]);
});

test('a push that the remote refuses is not repeated', async () => {
  const [cwd, remote] = [
    await projectDir({ 'tokenctl.yaml': 'tenant: { name: shop }\n' }),
    await projectDir({}),
  ];
  const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' });
  git('init', '--quiet', '--bare', remote);
  git('init', '--quiet', '--initial-branch', 'main');
  git('remote', 'add', 'origin', remote);
  await commit(cwd, 'start');
  const [hook, tries] = [join(remote, 'hooks/pre-receive'), join(remote, 'tries')];
  await writeFile(hook, `#!/bin/sh\necho x >> '${tries}'\nexit 1\n`);
  await chmod(hook, 0o755);
  await writeFile(join(cwd, 'tokenctl.lock.json'), '{}\n');
  const pushed = await tokenctl(['lock', 'push', '--branch', 'main'], { cwd });
  expect(pushed).toMatchObject({ code: 1, stderr: expect.stringContaining('pre-receive hook declined') });
  expect(await readFile(tries, 'utf8')).toBe('x\n');
});
