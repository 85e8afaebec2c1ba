import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { writeFileAtomically } from '../../../src/cli/lib/atomic-write.js';
import { projectDir } from '../../support/executable.js';

let directory: string;

beforeEach(async () => {
  directory = await projectDir({});
});

async function* failing() {
  yield 'half';
  throw new Error('no more');
}

test('a new file is readable by its owner only, and no temporary file is left', async () => {
  const path = join(directory, 'new');
  await writeFileAtomically(path, 'text');
  expect(await readFile(path, 'utf8')).toBe('text');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(directory)).toEqual(['new']);
});

// Fault: export, backup, pull | write fails, kill | disk
test('a write that fails leaves the old content and no temporary file', async () => {
  const path = join(directory, 'file');
  await writeFile(path, 'old');
  await expect(writeFileAtomically(path, Readable.from(failing()))).rejects.toThrow('no more');
  expect(await readFile(path, 'utf8')).toBe('old');
  expect(await readdir(directory)).toEqual(['file']);
});

test('a symbolic link stays a link, and the file it names is replaced', async () => {
  const target = join(directory, 'target');
  const link = join(directory, 'link');
  await writeFile(target, 'old');
  await symlink(target, link);
  await writeFileAtomically(link, Readable.from(['new']));
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(target, 'utf8')).toBe('new');
});

test('a device is written to instead of replaced', async () => {
  await writeFileAtomically('/dev/null', 'text');
  expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
});

test('a link that names no file is replaced, not followed', async () => {
  const link = join(directory, 'link');
  await symlink(join(directory, 'elsewhere'), link);
  await writeFileAtomically(link, 'text');
  expect(await readdir(directory)).toEqual(['link']);
  expect((await lstat(link)).isFile()).toBe(true);
});

test('replaceLink replaces a link and leaves the file it names', async () => {
  const target = join(directory, 'target');
  const link = join(directory, 'link');
  await writeFile(target, 'old');
  await symlink(target, link);
  await writeFileAtomically(link, 'new', { replaceLink: true });
  expect(await readFile(target, 'utf8')).toBe('old');
  expect(await readFile(link, 'utf8')).toBe('new');
});

/** An ID that no process has: the maximum of Linux is smaller. */
const NO_PROCESS = 2 ** 30;

test('what a killed process has left is removed by the next write, what another one writes is not', async () => {
  const path = join(directory, 'file');
  let temporary = '';
  await writeFileAtomically(
    path,
    Readable.from(
      (async function* () {
        temporary = (await readdir(directory))[0] ?? '';
        yield 'text';
      })(),
    ),
  );
  const ofOther = temporary.replace(/\.[\da-f]{8}-/, '.ffffffff-');
  const dead = (name: string) => name.replace(`-${process.pid}-`, `-${NO_PROCESS}-`);
  const strangers = ['file.txt', `file.${'a'.repeat(36)}`, `other.${randomUUID()}`];
  const kept = [temporary, dead(ofOther), ...strangers];
  for (const name of [...kept, dead(temporary)]) await writeFile(join(directory, name), 'plain');
  await writeFileAtomically(path, 'new');
  expect((await readdir(directory)).sort()).toEqual([...kept, 'file'].sort());

  for (const name of kept) await utimes(join(directory, name), 0, 0);
  await writeFileAtomically(path, 'new');
  expect((await readdir(directory)).sort()).toEqual([...strangers, 'file'].sort());
});
