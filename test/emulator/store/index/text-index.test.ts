import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../../emulator/store/condition.js';
import type { IndexedTable } from '../../../../emulator/store/tables/indexed-table.js';
import { Tables } from '../../../../emulator/store/tables/tables.js';
import { TENANT, token } from '../contract.js';

const KEYS = Array.from({ length: 200 }, (_, i) => `key-${i}`);

const wildcard = (key: string, prefix = 'v'): Condition<'tokens'> => ({ term: `metadata.${key}`, prefix });

/** The table of a tenant in which each of the keys has two tokens. */
function tableWith(keys: string[]) {
  const tables = new Tables();
  const put = (id: string, metadata: Record<string, string>, revision = 1) => {
    tables.put('tokens', TENANT, { ...token(id, 0, { metadata }), revision });
  };
  for (const key of keys) for (const n of [1, 2]) put(`${key}:${n}`, { [key]: `v${n}` });
  const table = tables.of('tokens', TENANT) as IndexedTable<'tokens'>;
  const search = async (where: Condition<'tokens'>) =>
    (await tables.find('tokens', { tenantId: TENANT, where })).total;
  return { table, put, search };
}

describe('wildcard searches on metadata', () => {
  it('keep the values of at most 64 keys, and of none that no token has', async () => {
    const { table, search } = tableWith(KEYS);
    for (const key of KEYS) {
      expect(await search(wildcard(`no-${key}`))).toBe(0);
      expect(await search(wildcard(key))).toBe(2);
      expect(table.texts.size).toBeLessThanOrEqual(64);
    }
    expect(table.texts.size).toBe(64);
  });

  it('find everything with more keys in one query, and in queries at the same time', async () => {
    const { table, search } = tableWith(KEYS);
    const queries = [KEYS, KEYS.slice(0, 100), KEYS.slice(100)].map((keys) =>
      search({ any: keys.map((key) => wildcard(key)) }),
    );
    expect(await Promise.all(queries)).toEqual([400, 200, 200]);
    expect(table.texts.size).toBeLessThanOrEqual(64);
  });

  it('forget a key with its last token, and find it again', async () => {
    const { table, put, search } = tableWith(['a', 'b']);
    expect([await search(wildcard('a')), await search(wildcard('b'))]).toEqual([2, 2]);
    for (const id of ['a:1', 'a:2']) table.remove(id);
    expect(await search(wildcard('a'))).toBe(0);
    expect(table.texts.size).toBe(1);
    put('a:3', { a: 'value', b: 'other' }, 2);
    expect([await search(wildcard('a')), await search(wildcard('b', 'o'))]).toEqual([1, 1]);
  });
});
