import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../emulator/store/errors.js';
import { databaseError, startError } from '../../../../emulator/store/postgres/errors.js';
import { trimStatement } from '../../../../emulator/store/postgres/log-retention.js';
import { createTermHasher, HASH_LENGTH } from '../../../../emulator/store/postgres/terms.js';
import { DatabaseProxy } from '../../../support/database-proxy.js';
import { retainLog } from '../../../support/log-retention.js';
import {
  hasPostgres,
  newDatabase,
  openOnPostgres,
  sharedPostgres,
  useOnPostgres,
} from '../../../support/postgres.js';
import { idsIn, insert, logEntry, OTHER_TENANT, TENANT, token } from '../contract.js';

const OTHER_CONNECTIONS = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;

/** Everything that the tables hold, as text. */
async function contentOf(url: string): Promise<string> {
  const server = await sharedPostgres();
  const tables = ['store', 'writers', 'records', 'terms', 'counts', 'snapshots'];
  const rows = await Promise.all(
    tables.map((table) =>
      server.query<{ row: string }>(`SELECT t::text AS row FROM tokenctl.${table} t`, url),
    ),
  );
  return rows.flatMap((all) => all.map(({ row }) => row)).join('\n');
}

async function countRows(url: string, table: string): Promise<number> {
  const server = await sharedPostgres();
  const [row] = await server.query<{ count: string }>(`SELECT count(*) FROM tokenctl.${table}`, url);
  return Number(row?.count);
}

describe.skipIf(!hasPostgres)('a store on a PostgreSQL server', () => {
  it('begins its connections without settings, which PgBouncer refuses', async () => {
    const proxy = await DatabaseProxy.start(await newDatabase());
    // In the first message of a connection, a zero byte ends each name.
    proxy.cutAt('_timeout\0', 'before the server has it');
    const store = await useOnPostgres(proxy.url);
    await insert(store, token('a', 0));
    expect(await store.get('tokens', TENANT, 'a')).toMatchObject({ id: 'a' });
    expect(proxy.cuts).toBe(0);
  });

  it('holds no token data or search value in plain text, and neither key', async () => {
    const url = await newDatabase();
    const store = await useOnPostgres(url);
    await insert(store, token('a', 0, { data: 'secret-data', search_values: ['secret-value'] }));
    const content = await contentOf(url);
    expect(content).toContain('/general/high/');
    for (const secret of ['secret-data', 'secret-value', Buffer.alloc(32, 7).toString('base64')])
      expect(content).not.toContain(secret);
  });

  it('deletes the key of a record and its terms with the record', async () => {
    const url = await newDatabase();
    const store = await useOnPostgres(url);
    await insert(store, token('a', 0, { metadata: { k: 'v' } }), token('b', 0, { tenant_id: OTHER_TENANT }));
    const terms = await countRows(url, 'terms');
    await store.commit([{ remove: 'tokens', tenantId: TENANT, id: 'a' }]);
    expect([await countRows(url, 'records'), await countRows(url, 'terms')]).toEqual([1, terms - 6]);
    await store.commit([{ clear: 'tenant', tenantId: OTHER_TENANT }]);
    expect([await countRows(url, 'records'), await countRows(url, 'terms')]).toEqual([0, 0]);
    const server = await sharedPostgres();
    expect(await server.query('SELECT hash FROM tokenctl.counts WHERE total <> 0', url)).toEqual([]);
  });

  it('finds each term of a record to delete by its key, without reading others', async () => {
    const url = await newDatabase();
    const server = await sharedPostgres();
    /** Pages of the indexes of terms that were read so far; a connection reports its own as it ends. */
    const pagesRead = async () => {
      const connections = () => server.query(OTHER_CONNECTIONS, url);
      await expect.poll(connections).toEqual([]);
      const [row] = await server.query<{ sum: string }>(
        "SELECT sum(idx_blks_hit + idx_blks_read) FROM pg_statio_user_indexes WHERE relname = 'terms'",
        url,
      );
      return Number(row?.sum);
    };
    const first = await openOnPostgres(url);
    const ids = Array.from({ length: 2_000 }, (_, i) => `t${i}`);
    await insert(first, ...ids.map((id, i) => token(id, i, { metadata: { k: 'v' } })));
    await first.close();
    const before = await pagesRead();
    const second = await openOnPostgres(url);
    for (const id of ids.slice(0, 5)) await second.commit([{ remove: 'tokens', tenantId: TENANT, id }]);
    await second.commit([{ clear: 'tenant', tenantId: TENANT }]);
    await second.close();
    expect(await countRows(url, 'terms')).toBe(0);
    // About six terms of each record, each by way of a few pages.
    expect((await pagesRead()) - before).toBeLessThan(ids.length * 6 * 4);
  });

  it('takes ids that the database cannot hold as they are', async () => {
    const store = await useOnPostgres();
    const ids = ['nul\0', 'half\ud800', 'plain'];
    for (const id of ids) await insert(store, token(id, 0, { metadata: { [id]: id } }));
    for (const id of ids) {
      expect(await store.get('tokens', TENANT, id)).toMatchObject({ id });
      expect(await idsIn(store, { term: `metadata.${id}`, prefix: id.slice(0, 4) })).toEqual([id]);
    }
    const begin = (prefix: string) => idsIn(store, { term: 'id', prefix });
    for (const prefix of ['nu', 'nul\0']) expect(await begin(prefix)).toEqual(['nul\0']);
    for (const [prefix, found] of [
      ['half\ud800', ['half\ud800']],
      ['pl', ['plain']],
      ['\\', []],
      ['\\"nul', []],
    ] as const)
      expect(await begin(prefix)).toEqual(found);
    // The deliveries about a token are claimed under its id.
    for (const isFree of [true, false]) expect(await store.shared?.claim('nul\0', 60_000)).toBe(isFree);
    await store.shared?.release('nul\0');
    expect(await store.shared?.claim('nul\0', 60_000)).toBe(true);
    await store.commit([{ remove: 'tokens', tenantId: TENANT, id: 'nul\0' }]);
    expect(await store.get('tokens', TENANT, 'nul\0')).toBeUndefined();
  });

  it('ends a page with the record that reaches the number of bytes', async () => {
    const store = await useOnPostgres();
    const data = 'x'.repeat(10_000);
    await insert(store, ...[1, 2, 3, 4, 5].map((minute) => token(`t${minute}`, minute, { data })));
    const query = { tenantId: TENANT, limit: 4, maxBytes: 20_000 };
    const first = await store.find('tokens', query);
    expect([first.records.map(({ id }) => id), first.total, first.nextOffset]).toEqual([['t5', 't4'], 5, 2]);
    const rest = await store.find('tokens', { ...query, offset: 2, limit: 2 });
    expect([rest.records.map(({ id }) => id), rest.nextOffset]).toEqual([['t3', 't2'], undefined]);
  });

  it('stops counting what several conditions select at a bound', async () => {
    const store = await useOnPostgres();
    await insert(store, ...[1, 2, 3, 4, 5].map((minute) => token(`t${minute}`, minute)));
    const [type, range] = [{ term: 'type', is: 'token' } as const, { range: 'created_at', gt: 0 } as const];
    const query = { tenantId: TENANT, where: { all: [type, range] } };
    const found = await store.find('tokens', { ...query, limit: 2, countTo: 3 });
    expect([found.records.map(({ id }) => id), found.total]).toEqual([['t5', 't4'], 3]);
    expect((await store.find('tokens', { ...query, limit: 2 })).total).toBe(5);
  });

  it('drops entries of the log beyond the last ones', async () => {
    const url = await newDatabase();
    const store = await useOnPostgres(url);
    store.record([1, 2, 3, 4, 5, 6].map((number) => logEntry(number)));
    const dropped = async (kept: number) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(trimStatement(TENANT, kept)).finally(() => client.end());
      return (await store.find('log', { tenantId: TENANT })).records.map(({ id }) => id).reverse();
    };
    await store.find('log', {});
    expect(await dropped(7)).toHaveLength(6);
    expect(await dropped(5)).toEqual(['2', '3', '4', '5', '6']);
    expect(await dropped(2)).toEqual(['5', '6']);
  });

  it('says from when on the log is complete, once it has as many entries as are kept', async () => {
    const url = await newDatabase();
    const store = await useOnPostgres(url);
    retainLog(3);
    const completeFrom = async () => (await store.find('log', { tenantId: TENANT, limit: 1 })).completeFrom;
    store.record([logEntry(1), logEntry(2)]);
    expect(await completeFrom()).toBeUndefined();
    store.record([logEntry(3)]);
    expect(await completeFrom()).toBe(1);
  });

  it('shows an entry of the log that was recorded before, although another process has committed since', async () => {
    const url = await newDatabase();
    const [store, other] = [await useOnPostgres(url), await useOnPostgres(url)];
    const ids = ['1', '2', '3', '4', '5'];
    for (const id of ids) {
      // After two commits in a row, a process takes it that no other one commits.
      for (const number of [1, 2]) await insert(store, token(`${id}-${number}`));
      await insert(other, token(`${id}-other`));
      store.record([logEntry(0, { id })]);
      const { records } = await store.find('log', { tenantId: TENANT });
      expect(records.map((record) => record.id)).toContain(id);
    }
  });

  it('is refused when a newer version has migrated it', async () => {
    const url = await newDatabase();
    await (await openOnPostgres(url)).close();
    const server = await sharedPostgres();
    await server.query("INSERT INTO tokenctl.migrations (version, name) VALUES (999, 'later')", url);
    await expect(openOnPostgres(url)).rejects.toMatchObject({ code: 'unsupported_format' });
  });
});

describe.skipIf(!hasPostgres)('a PostgreSQL server that goes away', () => {
  it.each(['BEGIN', 'unnest', 'INTO tokenctl.terms'])('commits despite a cut at %s', async (text) => {
    const proxy = await DatabaseProxy.start(await newDatabase());
    const store = await useOnPostgres(proxy.url);
    proxy.cutAt(text, 'after the server answered it');
    await insert(store, token('a'));
    expect(proxy.cuts).toBe(1);
    expect(await store.get('tokens', TENANT, 'a')).toBeDefined();
  });

  it('is away as well when each address of its name refuses the connection', () => {
    const error = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    expect(databaseError(error)).toBeInstanceOf(StoreUnavailableError);
    expect(startError(error, 'database x')).toMatchObject({ code: 'store_unreachable' });
  });
});

const hasherOf = (key: number) => {
  const hasher = createTermHasher(Buffer.alloc(32, key));
  return (term: string, value: string) => hasher('tokens', 't', term, value);
};
const hasher = hasherOf(1);

it('the hash of an index term depends on the secret', () => {
  const hash = hasher('metadata.k', 'v');
  expect(hash).toBe(hasher('metadata.k', 'v'));
  expect(hash).not.toBe(hasherOf(2)('metadata.k', 'v'));
  expect(hash).toHaveLength(HASH_LENGTH);
});

it.each<[string, [string, string], [string, string]]>([
  ['where the key ends', ['metadata.a', '\0b'], ['metadata.a\0', 'b']],
  ['lone surrogates', ['metadata.a', '\ud800'], ['metadata.a', '\ud801']],
  ['quotes', ['metadata.a","', 'b'], ['metadata.a', '","b']],
])('the hash of an index term differs for terms that differ in %s', (_, one, other) => {
  expect(hasher(...one)).not.toBe(hasher(...other));
});
