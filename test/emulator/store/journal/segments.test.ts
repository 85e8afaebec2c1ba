import { EventEmitter, once } from 'node:events';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { nodeFileSystem } from '../../../../emulator/store/files/file-system.js';
import { SEGMENT_BYTES } from '../../../../emulator/store/journal/segment.js';
import { asKilled, filesOf, open, temporaryDataDir } from '../../../support/data-dir.js';
import { idsIn, insert, TENANT, token } from '../contract.js';

it.each(['open', 'syncDirectory', 'rename'] as const)(
  'changes go on to the same segment if the %s of the next one fails',
  async (at) => {
    const dataDir = await temporaryDataDir();
    let isFailing = false;
    const failing = async (...args: never[]) => {
      if (isFailing) throw Object.assign(new Error('failed'), { code: 'EIO' });
      return (nodeFileSystem[at] as (...given: never[]) => Promise<never>)(...args);
    };
    const store = await open(dataDir, { durability: 'os', files: { ...nodeFileSystem, [at]: failing } });
    await insert(store, token('before', 0, { data: 'x'.repeat(SEGMENT_BYTES) }));
    isFailing = true;
    await expect(insert(store, token('during'))).rejects.toThrow();
    const killed = await asKilled(dataDir);
    isFailing = false;
    await insert(store, token('after'));
    await store.close();
    expect(await idsIn(await open(dataDir))).toEqual(['after', 'before']);
    expect(await idsIn(await open(killed))).toEqual(['before']);
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

it('a segment that is created while others are removed stays', async () => {
  const dataDir = await temporaryDataDir();
  const isSegment = (path: unknown) => String(path).includes('.jsonl');
  const steps = new EventEmitter();
  const [removing, created] = [once(steps, 'remove'), once(steps, 'create')];
  let isRemoving = false;
  const files: typeof nodeFileSystem = {
    ...nodeFileSystem,
    async open(path, mode) {
      const file = await nodeFileSystem.open(path, mode);
      if (isRemoving && isSegment(path)) steps.emit('create');
      return file;
    },
    async syncDirectory(path) {
      // Long enough for the removal to go on.
      if (isRemoving) await sleep(100);
      await nodeFileSystem.syncDirectory(path);
    },
    async remove(path) {
      if (isSegment(path)) {
        isRemoving = true;
        steps.emit('remove');
        await created;
      }
      await nodeFileSystem.remove(path);
    },
  };
  const data = 'x'.repeat(SEGMENT_BYTES);
  const store = await open(dataDir, { durability: 'os', files });
  await insert(store, token('first', 0, { data }));
  await store.commit([{ remove: 'tokens', tenantId: TENANT, id: 'first' }]);
  await insert(store, token('second', 0, { data }));
  await removing;
  await insert(store, token('third'));
  expect(await idsIn(await open(await asKilled(dataDir)))).toEqual(['second', 'third']);
});
