import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../../emulator/store/files/file-system.js';
import { closedDirectory, holds, open, temporaryDataDir } from '../../support/data-dir.js';
import { insert, TENANT, token } from './contract.js';

const expectErased = (dataDir: string, text: string) => expect.poll(() => holds(dataDir, text)).toBe(false);

const PLAIN = 'Anna "Kwiatkowska" \\ 4111111111111111 ü';

describe('deleted data is erased from every file of the data directory', () => {
  it('by a clear of everything together with a commit without changes', async () => {
    const dataDir = await temporaryDataDir();
    const store = await open(dataDir);
    await insert(store, token('secret', 0, { data: PLAIN }));
    expect(await holds(dataDir, PLAIN)).toBe(true);
    await Promise.all([store.commit([]), store.commit([{ clear: 'everything' }])]);
    await expectErased(dataDir, PLAIN);
  });

  it('by thousands of removals among records that stay', async () => {
    const dataDir = await temporaryDataDir();
    const store = await open(dataDir, { durability: 'os' });
    const ids = Array.from({ length: 6000 }, (_, i) => `t${i}`);
    const data = (id: string) => `plaintext of ${id} ${'x'.repeat(1000)}`;
    await insert(store, ...ids.map((id, i) => token(id, i % 60, { data: data(id) })));
    const gone = ids.filter((_, i) => i % 3 !== 0);
    await store.commit(gone.map((id) => ({ remove: 'tokens', tenantId: TENANT, id })));
    await expectErased(dataDir, `"plaintext of ${gone.at(-1)} `);
    await expectErased(dataDir, `"plaintext of ${gone[0]} `);
    expect((await store.get('tokens', TENANT, 't2997'))?.data).toBe(data('t2997'));
    expect((await store.find('tokens', { limit: 0 })).total).toBe(2000);
  });

  it('by a clear of everything while a segment is rewritten', async () => {
    const dataDir = await temporaryDataDir();
    let cleared: Promise<void> | undefined;
    let rewritten = () => {};
    const isRewritten = new Promise<void>((resolve) => {
      rewritten = resolve;
    });
    const store = await open(dataDir, {
      durability: 'os',
      files: {
        ...nodeFileSystem,
        async readFile(path) {
          // A whole file is read to be rewritten: the new one is begun after the end of everything has begun.
          if (path.includes('journal')) cleared ??= store.commit([{ clear: 'everything' }]);
          return nodeFileSystem.readFile(path);
        },
        async write(file, bytes, ...where) {
          if (Buffer.from(bytes).includes('"clear"')) await isRewritten;
          return nodeFileSystem.write(file, bytes, ...where);
        },
        async open(path, mode) {
          if (cleared) rewritten();
          return nodeFileSystem.open(path, mode);
        },
      },
    });
    const ids = Array.from({ length: 4000 }, (_, i) => `t${i}`);
    const data = (id: string) => `${PLAIN} ${id} ${'x'.repeat(1000)}`;
    await insert(store, ...ids.map((id) => token(id, 0, { data: data(id) })));
    await store.commit(ids.slice(0, 2200).map((id) => ({ remove: 'tokens', tenantId: TENANT, id })));
    await expect.poll(() => cleared !== undefined).toBe(true);
    await cleared;
    await expectErased(dataDir, PLAIN);
  });

  it('though a kill left a snapshot half made', async () => {
    const dataDir = await closedDirectory([]);
    await mkdir(join(dataDir, 'snapshots'));
    await writeFile(join(dataDir, 'snapshots/s.jsonl.new'), PLAIN);
    await open(dataDir);
    expect(await holds(dataDir, PLAIN)).toBe(false);
  });
});
