import { describe, expect, it } from 'vitest';
import { Snapshots } from '../../../emulator/services/snapshots.js';
import { memorySnapshotStorage } from '../../../emulator/store/snapshot-storage.js';
import { open, temporaryDataDir } from '../../support/data-dir.js';
import { insert, TENANT, token } from './contract.js';

const NOW = new Date('2026-11-21T00:00:00.000Z');

describe.each([
  ['plain', {}],
  ['encrypted', { dataKey: async () => Buffer.alloc(32, 7) }],
])('a snapshot restored again and again, %s', (_, options) => {
  it('is the same on the disk each time', async () => {
    const dataDir = await temporaryDataDir();
    const store = await open(dataDir, options);
    const all = async (of: typeof store) => (await of.find('tokens', { tenantId: TENANT })).records;
    const saved = ['a', 'b'].map((id) =>
      token(id, 0, { data: { text: 'zoë "}' }, metadata: { group: 'one' }, search_values: ['zoë'] }),
    );
    await insert(store, ...saved.map((record) => structuredClone(record)));
    const snapshots = new Snapshots(store, memorySnapshotStorage());
    await snapshots.save('s', NOW);
    for (let i = 0; i < 3; i += 1) {
      await snapshots.restore('s');
      const [first] = await all(store);
      if (first === undefined) throw new Error('nothing was restored');
      await store.commit([
        { replace: 'tokens', record: { ...first, data: 'other' } },
        { remove: 'tokens', tenantId: TENANT, id: 'b' },
      ]);
    }
    await snapshots.restore('s');
    await store.close();
    const reopened = await open(dataDir, options);
    expect((await all(reopened)).map(({ revision: _revision, ...record }) => record)).toEqual(saved);
    const where = {
      all: [
        { term: 'search' as const, is: 'zoë' },
        { term: 'metadata.group' as const, is: 'ONE' },
      ],
    };
    expect((await reopened.find('tokens', { tenantId: TENANT, where })).total).toBe(2);
  });
});
