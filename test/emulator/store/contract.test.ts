import { describe, expect, it, onTestFinished } from 'vitest';
import { createMemoryStore } from '../../../emulator/store/memory-store.js';
import { open, temporaryDataDir } from '../../support/data-dir.js';
import { hasPostgres, newDatabase, openOnPostgres, sharedPostgres } from '../../support/postgres.js';
import { width } from '../../support/width.js';
import { describeStore, TENANT } from './contract.js';

describeStore('memory', async () => createMemoryStore());
describeStore('journal', async () => open(await temporaryDataDir()));
// Where the records are is that of the other journal; what encryption adds has tests of its own.
if (width(false, true))
  describeStore('journal, encrypted', async () =>
    open(await temporaryDataDir(), { dataKey: async () => Buffer.alloc(32, 7) }),
  );

describe.skipIf(!hasPostgres)('with a PostgreSQL server', () => {
  let url: string | undefined;
  describeStore('PostgreSQL', async () => {
    url ??= await newDatabase();
    // A third of the time that another database takes.
    await (await sharedPostgres()).query('DROP SCHEMA IF EXISTS tokenctl CASCADE', url);
    return openOnPostgres(url);
  });
});

it('200,000 entries can be recorded at once', async () => {
  const store = createMemoryStore();
  onTestFinished(() => store.close());
  const record = (number: number) => ({ id: `2026-11:${number}`, tenant_id: TENANT, month: '2026-11' });
  store.record(Array.from({ length: 200_000 }, (_, n) => ({ insert: 'activity', record: record(n) })));
  expect((await store.find('activity', { limit: 0 })).total).toBe(200_000);
});
