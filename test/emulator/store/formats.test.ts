import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { FORMAT } from '../../../emulator/store/store-header.js';
import { open, temporaryDataDir, warnings } from '../../support/data-dir.js';
import { insert, token } from './contract.js';

/** Data directories of the storage format, plain and encrypted, both with the same content. */
const FIXTURES = fileURLToPath(new URL('../../../fixtures/data-directories', import.meta.url));
const TENANT = '5a1c2b9e-3d70-4a52-9a57-6f0f3c1d8e01';

const formats = await readdir(FIXTURES);

it('a data directory of the storage format exists as a fixture, plain and encrypted', () => {
  expect(formats.sort()).toEqual([`format-${FORMAT}`, `format-${FORMAT}-encrypted`]);
});

it.each(formats)('a data directory of the storage format opens with everything in it: %s', async (format) => {
  const dataDir = await temporaryDataDir();
  await cp(join(FIXTURES, format), dataDir, { recursive: true });
  const options = format.endsWith('encrypted') ? { dataKey: async () => Buffer.alloc(32, 1) } : {};
  let store = await open(dataDir, options);
  await insert(store, token('new', 0, { tenant_id: TENANT }));
  await store.close();
  store = await open(dataDir, options);
  const ids = (await store.find('tokens', { tenantId: TENANT })).records.map(({ id }) => id);
  expect(ids.sort()).toEqual(['kept', 'new', 'part-1', 'part-2']);
  const byTerm = async (where: Parameters<typeof store.find<'tokens'>>[1]['where']) =>
    (await store.find('tokens', { tenantId: TENANT, ...(where && { where }) })).records.map(({ id }) => id);
  expect(await byTerm({ term: 'metadata.Customer', is: 'ZOË "z" 1' })).toEqual(['kept']);
  expect(await byTerm({ term: 'metadata.Customer', prefix: 'zo' })).toEqual(['kept']);
  expect(await byTerm({ term: 'search', is: 'data of kept' })).toEqual(['kept']);
  expect(await byTerm({ term: 'container', is: '/pci/' })).toEqual(['part-2']);
  expect(await byTerm({ range: 'expires_at', lt: Date.UTC(2027, 0, 1) })).toEqual(['part-2']);
  expect((await store.get('tokens', TENANT, 'part-1'))?.data).toBe('replaced');
  for (const [collection, total] of [
    ['tenants', 1],
    ['applications', 1],
    ['reactors', 1],
    ['log', 1],
    ['activity', 1],
    ['deliveries', 1],
  ] as const) {
    expect([collection, (await store.find(collection, {})).total]).toEqual([collection, total]);
  }
  expect(warnings).toEqual([]);
});
