import { expect, test } from 'vitest';
import { RecentByTenant } from '../../../emulator/lib/recent-items.js';

const MB = 1024 ** 2;
const LIMITS = { items: 1_000, bytes: 8 * MB };

/** Adds items of 1 MB, by default as many as a tenant may keep. */
function fill(recent: RecentByTenant<number>, tenantId: string, items = 8): void {
  for (let item = 0; item < items; item++) recent.add(item, tenantId, MB);
}

test('all tenants together keep at most 64 MB: those that were idle for the longest lose their oldest items', () => {
  const recent = new RecentByTenant<number>(LIMITS);
  const tenants = Array.from({ length: 8 }, (_, index) => `tenant ${index}`);
  for (const tenant of tenants) fill(recent, tenant);
  fill(recent, 'another', 4);
  const [first, ...others] = tenants.map((tenant) => recent.list(tenant));
  expect(first).toEqual([4, 5, 6, 7]);
  for (const items of others) expect(items).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('a tenant that is active keeps its items whatever others add', () => {
  const recent = new RecentByTenant<number>(LIMITS);
  fill(recent, 'active');
  for (let index = 0; index < 100; index++) {
    fill(recent, `tenant ${index}`);
    recent.add(index, 'active', 1);
  }
  expect(recent.list('active').slice(0, 4)).toEqual([4, 5, 6, 7]);
  expect(recent.list('tenant 0')).toEqual([]);
});

test('what is cleared or belongs to more than 200 tenants counts no longer', () => {
  const recent = new RecentByTenant<number>(LIMITS);
  for (let index = 0; index < 8; index++) fill(recent, `tenant ${index}`);
  recent.clear('tenant 7');
  fill(recent, 'another');
  expect(recent.list('tenant 0')).toHaveLength(8);
  recent.clear();
  for (let index = 0; index < 8; index++) fill(recent, `tenant ${index}`);
  expect(recent.list('tenant 0')).toHaveLength(8);
});
