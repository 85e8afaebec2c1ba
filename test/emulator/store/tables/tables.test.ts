import { expect, it } from 'vitest';
import type { LineLocation } from '../../../../emulator/store/line-location.js';
import { Tables } from '../../../../emulator/store/tables/tables.js';
import { TENANT, token } from '../contract.js';

it('a removed tenant hands over the lines of each of its tables without looking at them', () => {
  const touched: LineLocation[] = [];
  const handedOver: Iterable<{ line: LineLocation | undefined }>[] = [];
  const tables = new Tables({
    scheduleErase: (line) => touched.push(line),
    scheduleEraseAll: (rows) => handedOver.push(rows),
  });
  const locations = [0, 100, 200].map((offset) => ({ segment: 1, offset, length: 99 }));
  for (const [i, location] of locations.entries()) {
    const record = { ...token(`t${i}`, i), revision: i + 1 };
    tables.put('tokens', TENANT, record, location);
  }
  tables.apply({ op: 'clear', tenantId: TENANT, revision: 4 });
  expect(tables.of('tokens', TENANT)).toBeUndefined();
  expect(touched).toEqual([]);
  expect(handedOver.map((rows) => [...rows].map(({ line }) => line))).toEqual([locations]);
});
