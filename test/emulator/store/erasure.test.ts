import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../../emulator/store/files/file-system.js';
import { readHeader, writeHeader } from '../../../emulator/store/store-header.js';
import { closedDirectory, holds, open, temporaryDataDir, warnings } from '../../support/data-dir.js';
import { formatLine, writeDataDir } from '../../support/journal-lines.js';
import { idsIn, insert, OTHER_TENANT, read, TENANT, token } from './contract.js';

/** Deleted data is erased within a second; a busy machine gets more time. */

const expectErased = (dataDir: string, text: string) => expect.poll(() => holds(dataDir, text)).toBe(false);

const PLAIN = 'Anna "Kwiatkowska" \\ 4111111111111111 ü';

function putLine(rev: number, id: string, data = `data of ${id}`): string {
  return formatLine({ rev, put: 'tokens', record: { ...token(id, 0, { data }), revision: rev } });
}

describe('deleted data is erased from every file of the data directory', () => {
  const WAYS: [string, (store: Awaited<ReturnType<typeof open>>) => Promise<void>][] = [
    ['a removal', (store) => store.commit([{ remove: 'tokens', tenantId: TENANT, id: 'secret' }])],
    [
      'a replacement',
      async (store) => {
        const record = { ...(await read(store, 'secret')), data: 'new' };
        await store.commit([{ replace: 'tokens', record }]);
      },
    ],
    ['the removal of its tenant', (store) => store.commit([{ clear: 'tenant', tenantId: TENANT }])],
    ['a clear of everything', (store) => store.commit([{ clear: 'everything' }])],
    [
      'a clear of everything together with a commit without changes',
      async (store) => {
        await Promise.all([store.commit([]), store.commit([{ clear: 'everything' }])]);
      },
    ],
  ];

  it.each(WAYS)('by %s', async (_, remove) => {
    const dataDir = await temporaryDataDir();
    const store = await open(dataDir);
    await insert(store, token('other', 0, { tenant_id: OTHER_TENANT }), token('secret', 0, { data: PLAIN }));
    expect(await holds(dataDir, PLAIN)).toBe(true);
    await remove(store);
    await expectErased(dataDir, PLAIN);
  });

  it('by the change of a document', async () => {
    const dataDir = await temporaryDataDir();
    const store = await open(dataDir);
    await store.commit([{ insert: 'settings', record: { id: 's', value: PLAIN } }]);
    const read = await store.get('settings', '', 's');
    if (read) await store.commit([{ replace: 'settings', record: { ...read, value: 'new' } }]);
    await expectErased(dataDir, PLAIN);
  });

  it('by a removal before a restart', async () => {
    const dataDir = await temporaryDataDir();
    const store = await open(dataDir);
    await insert(store, token('secret', 0, { data: PLAIN }));
    await store.commit([{ remove: 'tokens', tenantId: TENANT, id: 'secret' }]);
    await store.close();
    await open(dataDir);
    await expectErased(dataDir, PLAIN);
  });

  it('by a removal whose erasure a kill interrupted, in a segment that is rewritten next', async () => {
    const dataDir = await temporaryDataDir();
    const gone = putLine(1, 'secret', `${PLAIN} ${'x'.repeat(500)}`);
    const length = Buffer.byteLength(gone) - 1;
    const half = `${' '.repeat(60)}${gone.slice(60)}`;
    const removal = formatLine({ rev: 3, remove: 'tokens', tenant: TENANT, id: 'secret' });
    await writeDataDir(dataDir, [half, removal + formatLine({ erase: [[1, 0, length]] })]);
    const store = await open(dataDir);
    expect(await store.get('tokens', TENANT, 'secret')).toBeUndefined();
    await expectErased(dataDir, JSON.stringify(PLAIN).slice(1, -1));
    await insert(store, token('new'));
    expect(await idsIn(store)).toContain('new');
    expect(warnings).toEqual([]);
  });

  it.each(['remove', 'syncDirectory'] as const)(
    'by a removal after a compaction whose %s failed',
    async (at) => {
      const dataDir = await temporaryDataDir();
      const ids = ['a', 'b', 'c', 'd', 'e', 'secret', 'g', 'h', 'i'];
      const lines = ids.map((id, i) => putLine(i + 1, id));
      await writeDataDir(dataDir, lines);
      let calls = 0;
      const files = {
        ...nodeFileSystem,
        [at]: async (path: string) => {
          calls += 1;
          // A start syncs two directories.
          if (calls === (at === 'remove' ? 5 : 3)) throw Object.assign(new Error('failed'), { code: 'EIO' });
          await nodeFileSystem[at](path);
        },
      };
      const store = await open(dataDir, { files });
      await expect.poll(() => warnings).toHaveLength(1);
      await store.commit([{ remove: 'tokens', tenantId: TENANT, id: 'secret' }]);
      await expectErased(dataDir, 'data of secret');
      expect((await store.find('tokens', {})).total).toBe(8);
    },
  );

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

  it('by the removal of its tenant just before the store is closed', async () => {
    const dataDir = await temporaryDataDir();
    const store = await open(dataDir);
    await insert(store, token('other', 0, { tenant_id: OTHER_TENANT }), token('secret', 0, { data: PLAIN }));
    await store.commit([{ clear: 'tenant', tenantId: TENANT }]);
    await store.close();
    expect(await holds(dataDir, PLAIN)).toBe(false);
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

  it('though a kill came between the rewriting of a segment and its removal', async () => {
    const dataDir = await temporaryDataDir();
    await writeDataDir(dataDir, ['', putLine(2, 'kept')]);
    const header = await readHeader(nodeFileSystem, dataDir);
    if (header) await writeHeader(nodeFileSystem, dataDir, { ...header, journal: header.journal.slice(1) });
    await writeFile(join(dataDir, 'journal', '00000001.jsonl'), putLine(1, 'secret', PLAIN));
    expect(await idsIn(await open(dataDir))).toEqual(['kept']);
    expect(await holds(dataDir, PLAIN)).toBe(false);
  });

  it.each([
    ['a segment', 'journal/00000009.jsonl.new'],
    ['a snapshot', 'snapshots/s.jsonl.new'],
  ])('though a kill left %s half made', async (_, path) => {
    const dataDir = await closedDirectory([]);
    await mkdir(join(dataDir, 'snapshots'));
    await writeFile(join(dataDir, path), PLAIN);
    await open(dataDir);
    expect(await holds(dataDir, PLAIN)).toBe(false);
  });
});
