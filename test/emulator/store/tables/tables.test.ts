import { expect, it } from 'vitest';
import { createTermHasher } from '../../../../emulator/store/index/term-hash.js';
import type { RecordLocation } from '../../../../emulator/store/record-location.js';
import { Tables } from '../../../../emulator/store/tables/tables.js';
import { TENANT, token } from '../contract.js';

it('a removed tenant hands over the lines of each of its tables without looking at them', () => {
  const touched: RecordLocation[] = [];
  const handedOver: Iterable<RecordLocation>[] = [];
  const tables = new Tables(createTermHasher(Buffer.alloc(32)), () => ({
    read: () => expect.unreachable(),
    readCached: () => expect.unreachable(),
    scheduleErase: (location) => touched.push(location),
    scheduleEraseAll: (locations) => handedOver.push(locations),
    markDead: (location) => touched.push(location),
  }));
  const locations = [0, 100, 200].map((offset) => ({ segment: 1, offset, length: 99 }));
  for (const [i, location] of locations.entries()) {
    const record = { ...token(`t${i}`, i), revision: i + 1 };
    const keys = tables.keysOf('tokens', record);
    tables.apply(
      { op: 'put', collection: 'tokens', tenantId: TENANT, revision: i + 1, record, keys },
      location,
    );
  }
  tables.apply({ op: 'clear', tenantId: TENANT, revision: 4 });
  expect(tables.of('tokens', TENANT)).toBeUndefined();
  expect(touched).toEqual([]);
  expect(handedOver.map((lines) => [...lines])).toEqual([
    locations.map((one) => expect.objectContaining(one)),
  ]);
});
