import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeFileSystem } from '../../../../emulator/store/files/file-system.js';
import { Journal } from '../../../../emulator/store/wal/journal.js';
import { withChecksum } from '../../../../emulator/store/wal/line.js';
import { SEGMENT_BYTES } from '../../../../emulator/store/wal/segment.js';
import { filesOf, open, temporaryDataDir } from '../../../support/data-dir.js';
import { insert, TENANT, token } from '../contract.js';

it('a segment that is begun while another is rewritten has an id of its own', async () => {
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
  const [location] = await journal.append([withChecksum(Buffer.from('{"sum":"00000000","rev":1}\n'))]);
  await journal.close();
  expect([location?.segment, packed?.id]).toEqual([1, 2]);
});

it('the active segment stays active if the next one cannot be begun', async () => {
  const dataDir = await temporaryDataDir();
  let isFailing = false;
  const files = {
    ...nodeFileSystem,
    async syncDirectory(path: string): Promise<void> {
      if (isFailing) throw Object.assign(new Error('failed'), { code: 'EIO' });
      await nodeFileSystem.syncDirectory(path);
    },
  };
  let store = await open(dataDir, { files });
  await insert(store, token('before'));
  isFailing = true;
  await expect(store.commit([{ clear: 'everything' }])).rejects.toThrow();
  isFailing = false;
  await insert(store, token('after'));
  await store.close();
  await appendFile(join(dataDir, 'journal', '00000001.jsonl'), '{"sum":"');
  store = await open(dataDir);
  expect((await store.find('tokens', {})).records.map(({ id }) => id)).toEqual(['after', 'before']);
});

it('lines erased before a start count as dead bytes after it', async () => {
  const dataDir = await temporaryDataDir();
  const data = 'x'.repeat(100_000);
  const ids = Array.from({ length: 12 }, (_, i) => `token-${i}`);
  // Each time far less goes than half a segment.
  for (let start = 0; start < 12; start += 1) {
    const store = await open(dataDir, { durability: 'os' });
    await insert(store, ...ids.map((id) => token(id, 0, { data })));
    await store.commit(ids.map((id) => ({ remove: 'tokens', tenantId: TENANT, id })));
    await store.close();
  }
  const sizes = await Promise.all((await filesOf(dataDir)).map(async (path) => (await stat(path)).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2 * SEGMENT_BYTES);
});
