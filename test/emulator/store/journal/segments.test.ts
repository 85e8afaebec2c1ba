import { stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { nodeFileSystem } from '../../../../emulator/store/files/file-system.js';
import { SEGMENT_BYTES } from '../../../../emulator/store/journal/segment.js';
import { asKilled, filesOf, open, temporaryDataDir } from '../../../support/data-dir.js';
import { insert, TENANT, token } from '../contract.js';

it.each(['open', 'syncDirectory', 'rename'] as const)(
  'changes go on to the same segment if the %s of the next one fails',
  async (at) => {
    const dataDir = await temporaryDataDir();
    let isFailing = false;
    const failing = async (...args: never[]) => {
      if (isFailing) throw Object.assign(new Error('failed'), { code: 'EIO' });
      return (nodeFileSystem[at] as (...given: never[]) => Promise<never>)(...args);
    };
    let store = await open(dataDir, { durability: 'os', files: { ...nodeFileSystem, [at]: failing } });
    await insert(store, token('before', 0, { data: 'x'.repeat(SEGMENT_BYTES) }));
    isFailing = true;
    await expect(insert(store, token('during'))).rejects.toThrow();
    const killed = await asKilled(dataDir);
    isFailing = false;
    await insert(store, token('after'));
    await store.close();
    store = await open(dataDir);
    expect((await store.find('tokens', {})).records.map(({ id }) => id)).toEqual(['after', 'before']);
    expect((await (await open(killed)).find('tokens', {})).records.map(({ id }) => id)).toEqual(['before']);
  },
);

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
