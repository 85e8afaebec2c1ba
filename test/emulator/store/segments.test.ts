import { expect, it } from 'vitest';
import { nodeFileSystem } from '../../../emulator/store/files/file-system.js';
import { Journal } from '../../../emulator/store/journal/journal.js';
import { temporaryDataDir } from './data-dir.js';

it('a segment that is begun and one that is packed meanwhile have ids of their own', async () => {
  const directory = await temporaryDataDir();
  await nodeFileSystem.makeDirectory(directory);
  let packed: { id: number; path: string } | undefined;
  const files = {
    ...nodeFileSystem,
    async syncDirectory(path: string): Promise<void> {
      packed ??= journal.reserve(true);
      await nodeFileSystem.syncDirectory(path);
    },
  };
  const journal: Journal = new Journal({ files, directory, durability: 'sync' }, []);
  const [place] = await journal.append(['{"sum":"00000000","rev":1}\n'], true);
  await journal.close();
  expect([place?.segment, packed?.id]).toEqual([1, 2]);
});
