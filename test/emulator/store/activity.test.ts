import { expect, it } from 'vitest';
import {
  activityOf,
  findFoldable,
  foldEntries,
  monthlyActiveTokens,
  removalOf,
} from '../../../emulator/services/activity.js';
import { createMemoryStore } from '../../../emulator/store/memory-store.js';
import { insert, TENANT, token } from './contract.js';

const NOVEMBER = Date.parse('2026-11-20T00:00:00Z');
const DECEMBER = Date.parse('2026-12-20T00:00:00Z');

it('entries of deleted tokens and of the past month become one number for each month', async () => {
  const store = createMemoryStore();
  const ids = ['a', 'b', 'c'];
  await insert(store, ...ids.map((id) => token(id)));
  const [first] = (await store.find('tokens', { tenantId: TENANT })).records;
  if (first === undefined) throw new Error('no token');
  await store.commit(removalOf([first], NOVEMBER));
  const fold = async (now: number) => foldEntries(store, await findFoldable(store, TENANT, now, 100));
  const active = (now: number) => monthlyActiveTokens(store, TENANT, new Date(now));
  const entries = async () =>
    (await store.find('activity', { tenantId: TENANT })).records.map(({ id }) => id);
  expect([await active(NOVEMBER), await entries()]).toEqual([3, [`2026-11:${first.id}`]]);
  await fold(NOVEMBER);
  expect([await active(NOVEMBER), await entries()]).toEqual([3, ['2026-11']]);
  store.record(activityOf((await store.find('tokens', { tenantId: TENANT })).records, DECEMBER));
  expect([await active(DECEMBER), (await entries()).length]).toEqual([2, 3]);
  await fold(Date.parse('2027-01-02T00:00:00Z'));
  expect(await entries()).toEqual(['2026-11', '2026-12']);
  expect([await active(NOVEMBER), await active(DECEMBER)]).toEqual([3, 2]);
});
