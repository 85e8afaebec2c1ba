import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem as files, writeFully } from '../../../../emulator/store/files/file-system.js';
import { temporaryDataDir } from '../../../support/data-dir.js';

describe('the file system', () => {
  it('writes at a position and fills the file', async () => {
    const path = `${await temporaryDataDir()}.jsonl`;
    const file = await files.open(path, 'replace');
    await writeFully(files, file, Buffer.from('abcdef'), 0);
    await writeFully(files, file, Buffer.from('XY'), 2);
    const large = Buffer.alloc(100_000, 'z');
    await writeFully(files, file, large, 6);
    expect(await readFile(path, 'utf8')).toBe(`abXYef${large}`);
    await files.close(file);
  });
});
