import { describe, expect, it } from 'vitest';
import { open, temporaryDataDir } from '../../support/data-dir.js';
import { fillableDisk } from '../../support/fillable-disk.js';
import { insert, TENANT, token } from './contract.js';

describe('a full disk', () => {
  it('refuses changes, still reads, and recovers by itself', async () => {
    const dataDir = await temporaryDataDir();
    const { disk, files } = fillableDisk();
    let store = await open(dataDir, { files });
    await insert(store, token('before'));
    disk.isFull = true;
    await expect(insert(store, token('during'))).rejects.toMatchObject({ name: 'StorageFullError' });
    await expect(store.commit([{ remove: 'tokens', tenantId: TENANT, id: 'before' }])).rejects.toMatchObject({
      name: 'StorageFullError',
    });
    expect(await store.get('tokens', TENANT, 'before')).toBeDefined();
    expect((await store.find('tokens', {})).total).toBe(1);
    disk.isFull = false;
    await insert(store, token('after'));
    await store.close();
    store = await open(dataDir);
    expect((await store.find('tokens', {})).records.map(({ id }) => id)).toEqual(['after', 'before']);
  });
});
