import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acquireLock, lockOwner } from '../../../../emulator/store/files/lock.js';
import { temporaryDataDir } from '../../../support/data-dir.js';

async function lockedBy(owner: object): Promise<string> {
  const dataDir = await temporaryDataDir();
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, 'lock'), JSON.stringify(owner));
  return dataDir;
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0']);
  await new Promise((resolve) => child.on('close', resolve));
  return child.pid ?? 0;
}

describe('the lock of a data directory', () => {
  it('names the owner while that process runs', async () => {
    const dataDir = await temporaryDataDir();
    await mkdir(dataDir, { recursive: true });
    const release = acquireLock(dataDir, 'a test');
    expect(() => acquireLock(dataDir, 'another')).toThrow(
      new RegExp(`in use by process ${process.pid} \\(a test\\)`),
    );
    expect(lockOwner(dataDir)).toMatchObject({ pid: process.pid, purpose: 'a test' });
    release();
    expect(lockOwner(dataDir)).toBeUndefined();
    acquireLock(dataDir, 'another')();
  });

  it('of a dead process is taken over', async () => {
    const dataDir = await lockedBy({ pid: await deadPid(), process: 'x', since: '', purpose: 'dead' });
    onTestFinished(acquireLock(dataDir, 'the next'));
    expect(JSON.parse(await readFile(join(dataDir, 'lock'), 'utf8'))).toMatchObject({ purpose: 'the next' });
  });

  it.runIf(process.platform === 'linux')(
    'of a dead process whose pid another has now is taken over',
    async () => {
      const dataDir = await lockedBy({ pid: process.pid, process: 'boot/1', since: '', purpose: 'dead' });
      onTestFinished(acquireLock(dataDir, 'the next'));
    },
  );

  it('that was cut off while it was written is taken over', async () => {
    const dataDir = await temporaryDataDir();
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, 'lock'), '{"pid":1');
    onTestFinished(acquireLock(dataDir, 'the next'));
  });
});
