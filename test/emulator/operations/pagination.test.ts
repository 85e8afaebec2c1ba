import { expect, test } from 'vitest';
import { toOffsetLimit, toPage } from '../../../emulator/operations/pagination.js';

test('toOffsetLimit counts pages from 1', () => {
  expect(toOffsetLimit({ page: 1, size: 20 })).toEqual({ offset: 0, limit: 20 });
  expect(toOffsetLimit({ page: 3, size: 7 })).toEqual({ offset: 14, limit: 7 });
});

test.each([
  [0, 0],
  [20, 1],
  [21, 2],
])('toPage of %i items of size 20 has %i pages', (total, total_pages) => {
  expect(toPage(['x'], total, { page: 2, size: 20 })).toEqual({
    pagination: { total_items: total, page_number: 2, page_size: 20, total_pages },
    data: ['x'],
  });
});
