import { constants } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem as files, writeFully } from '../../../../emulator/store/files/file-system.js';
import { temporaryDataDir } from '../../../support/data-dir.js';

/** The flags of the descriptors that this process has of a file. */
async function descriptorsOf(path: string): Promise<number[]> {
  const flags: number[] = [];
  for (const fd of await readdir('/proc/self/fd')) {
    if ((await readlink(`/proc/self/fd/${fd}`).catch(() => '')) !== path) continue;
    const info = await readFile(`/proc/self/fdinfo/${fd}`, 'utf8');
    flags.push(Number.parseInt(/flags:\s*(\d+)/.exec(info)?.[1] ?? '', 8));
  }
  return flags;
}

describe('the file system', () => {
  it('writes where it is told, synced or not', async () => {
    const path = `${await temporaryDataDir()}.jsonl`;
    const file = await files.open(path, 'replace');
    await writeFully(files, file, Buffer.from('abcdef'), 0);
    await writeFully(files, file, Buffer.from('XY'), 2, true);
    await writeFully(files, file, Buffer.from('gh'), 6, true);
    expect(await readFile(path, 'utf8')).toBe('abXYefgh');
    await files.close(file);
  });

  it.runIf(process.platform === 'linux')(
    'syncs each write through a descriptor that goes with the file',
    async () => {
      const path = `${await temporaryDataDir()}.jsonl`;
      const file = await files.open(path, 'replace');
      await files.write(file, Buffer.from('a'), 0);
      const isSynced = (flags: number) => (flags & constants.O_DSYNC) !== 0;
      expect((await descriptorsOf(path)).map(isSynced)).toEqual([false]);
      await files.write(file, Buffer.from('b'), 1, true);
      await files.write(file, Buffer.from('c'), 2, true);
      expect((await descriptorsOf(path)).map(isSynced).sort()).toEqual([false, true]);
      await files.close(file);
      expect(await descriptorsOf(path)).toEqual([]);
    },
  );
});
