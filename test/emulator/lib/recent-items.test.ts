import { expect, test } from 'vitest';
import { RecentByTenant } from '../../../emulator/lib/recent-items.js';

const MB = 1024 ** 2;
interface Item {
  item: number;
}

const LIMITS = { items: 1_000, bytes: 8 * MB };

/** Adds items of 1 MB, by default as many as a tenant may keep. */
function fill(recent: RecentByTenant<Item>, tenantId: string, items = 8): void {
  for (let item = 0; item < items; item++) recent.add({ item }, tenantId, MB);
}

const itemsOf = (recent: RecentByTenant<Item>, tenantId?: string): number[] =>
  recent.list(tenantId).map(({ item }) => item);

test('all tenants together keep at most 64 MB: those that were idle for the longest lose their oldest items', () => {
  const recent = new RecentByTenant<Item>(LIMITS);
  const tenants = Array.from({ length: 8 }, (_, index) => `tenant ${index}`);
  for (const tenant of tenants) fill(recent, tenant);
  fill(recent, 'another', 4);
  const [first, ...others] = tenants.map((tenant) => itemsOf(recent, tenant));
  expect(first).toEqual([4, 5, 6, 7]);
  for (const items of others) expect(items).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('a tenant that is active keeps its items whatever others add', () => {
  const recent = new RecentByTenant<Item>(LIMITS);
  fill(recent, 'active');
  for (let index = 0; index < 100; index++) {
    fill(recent, `tenant ${index}`);
    recent.add({ item: index }, 'active', 1);
  }
  expect(itemsOf(recent, 'active').slice(0, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(recent.list('tenant 0')).toEqual([]);
});

test('what is cleared or belongs to more than 200 tenants counts no longer', () => {
  const recent = new RecentByTenant<Item>(LIMITS);
  for (let index = 0; index < 8; index++) fill(recent, `tenant ${index}`);
  recent.clear('tenant 7');
  fill(recent, 'another');
  expect(recent.list('tenant 0')).toHaveLength(8);
  recent.clear();
  for (let index = 0; index < 8; index++) fill(recent, `tenant ${index}`);
  expect(recent.list('tenant 0')).toHaveLength(8);
});

test('a list is bounded in items and in bytes; its newest item stays, however large', () => {
  const recent = new RecentByTenant<Item>({ items: 3, bytes: 10 });
  for (let item = 0; item < 5; item++) recent.add({ item }, 't', 1);
  expect(itemsOf(recent, 't')).toEqual([2, 3, 4]);
  recent.add({ item: 5 }, 't', 8);
  expect(itemsOf(recent, 't')).toEqual([3, 4, 5]);
  recent.add({ item: 6 }, 't', 11);
  expect([itemsOf(recent, 't'), itemsOf(recent)]).toEqual([[6], [6]]);
});

test('what is forgotten of a tenant is in no list; what is cleared stays in that of all', () => {
  const recent = new RecentByTenant<Item>(LIMITS);
  fill(recent, 'one', 1);
  fill(recent, 'other', 2);
  recent.clear('one');
  expect([itemsOf(recent, 'one'), itemsOf(recent)]).toEqual([[], [0, 0, 1]]);
  recent.forget('other');
  expect([itemsOf(recent, 'other'), itemsOf(recent)]).toEqual([[], [0]]);
});
