import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StartError } from '../../../../emulator/lib/start-error.js';
import { StoreUnavailableError } from '../../../../emulator/store/errors.js';
import { withMigrationLock } from '../../../../emulator/store/postgres/migrations.js';
import type { Store } from '../../../../emulator/store/store.js';
import { DatabaseProxy, type Silence } from '../../../support/database-proxy.js';
import {
  Fleet,
  hasPostgres,
  newDatabase,
  openOnPostgres,
  PostgresServer,
  sharedPostgres,
  useOnPostgres,
} from '../../../support/postgres.js';
import { sampled, width } from '../../../support/width.js';
import { idsIn, insert, TENANT, token } from '../contract.js';

/** Shorter than that of users, and long enough for any statement of these tests. */
const BOUND = { statementTimeoutMs: 3_000 };
/** Seconds that a statement takes which is slower than the bound, and than what the server allows above it. */
const SLOW_SECONDS = 6;

const SILENCES: Silence[] = [
  'before the server has it',
  'after the server answered it',
  'and the server gets it later',
];

/** Seconds pass in most of these tests: `npm test` leaves out those of rare cases. */
const whenFull = it.runIf(width(false, true));

const open = (url: string) => useOnPostgres(url, BOUND);

/** Another client of a database, until the test ends. */
async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  onTestFinished(() => client.end());
  await client.connect();
  return client;
}

const startEmulator = (url: string) => Fleet.use(url, 1, BOUND);

/** Makes each statement that does this to records slower than the bound. */
async function slowDown(what: 'DELETE' | 'INSERT' | 'DELETE OR INSERT', url: string): Promise<void> {
  const server = await sharedPostgres();
  await server.query(
    `CREATE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql
       AS 'BEGIN PERFORM pg_sleep(${SLOW_SECONDS}); RETURN NULL; END';
     CREATE TRIGGER slow AFTER ${what} ON tokenctl.records FOR EACH STATEMENT EXECUTE FUNCTION be_slow()`,
    url,
  );
}

const openSockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

// Fault: commit, read, start, stop | database hangs | PostgreSQL
describe.skipIf(!hasPostgres)('a PostgreSQL server that hangs while it is connected', () => {
  it('is a database that is away, and works again when it goes on', async () => {
    const proxy = await DatabaseProxy.start(await newDatabase());
    const emulator = await startEmulator(proxy.url);
    const create = (data: string, idempotencyKey: string) =>
      emulator.call('POST', '/tokens', { body: { type: 'token', data }, idempotencyKey });
    const requests = {
      read: async () => emulator.call('GET', `/tokens/${acknowledged.id}`),
      list: () => emulator.call('GET', '/tokens?type=token'),
      create: () => create('second', 'b'),
      repeat: () => create('first', 'a'),
      snapshots: () => emulator.call('GET', '/_emulator/snapshots', { control: true }),
    };
    const { body: acknowledged } = await create('first', 'a');
    await Promise.all(Object.values(requests).map((send) => send()));
    // Its removal is tried while the database hangs.
    const expiring = { type: 'token', data: 1, expires_at: new Date(Date.now() + 1_500).toISOString() };
    await emulator.call('POST', '/tokens', { body: expiring });

    proxy.stall();
    const answers = await Promise.all(Object.values(requests).map((send) => send()));
    for (const { status, body, headers } of answers) {
      expect({ status, body }).toMatchObject({ status: 503, body: { status: 503 } });
      expect(headers.get('content-type')).toContain('application/problem+json');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    proxy.resume();

    expect((await requests.read()).body).toMatchObject({ id: acknowledged.id, data: 'first' });
    const [once, twice] = [await create('third', 'c'), await create('third', 'c')];
    expect([once.status, twice.body.id]).toEqual([201, once.body.id]);
    expect((await requests.list()).body.pagination.total_items).toBe(3);
    expect(emulator.errors).toEqual([]);
  });

  whenFull('rejects a write whose tables another client holds for too long', async () => {
    const url = await newDatabase();
    const store = await useOnPostgres(url);
    const other = await connect(url);
    await other.query('BEGIN; LOCK TABLE tokenctl.records IN SHARE MODE');
    await expect(insert(store, token('a'))).rejects.toBeInstanceOf(StoreUnavailableError);
    await other.query('ROLLBACK');
    await insert(store, token('a'));
    expect(await idsIn(store)).toEqual(['a']);
  });

  whenFull('rejects what is asked of the store, on connections of every kind', async () => {
    const proxy = await DatabaseProxy.start(await newDatabase());
    const store = await open(proxy.url);
    const asked = [
      () => store.get('tokens', TENANT, 'a'),
      () => store.find('tokens', { tenantId: TENANT }),
      () => store.copy(() => {}),
      () => insert(store, token('b')),
      () => store.shared?.updateState('clock', () => 1),
    ];
    await insert(store, token('a'));
    await store.find('tokens', {});
    proxy.stall();
    const refused = asked.map((ask) => expect(ask()).rejects.toBeInstanceOf(StoreUnavailableError));
    await Promise.all(refused);
    proxy.resume();
    for (const ask of asked) await ask();
    expect(await idsIn(store)).toEqual(['a', 'b']);
  });

  it('ends the statements that were given up, so that they block no other', async () => {
    const url = await newDatabase();
    const store = await useOnPostgres(url, { statementTimeoutMs: 500 });
    await insert(store, token('a'));
    const other = await connect(url);
    await other.query('BEGIN; LOCK TABLE tokenctl.records');
    const asked = [store.get('tokens', TENANT, 'a'), store.find('tokens', { tenantId: TENANT })];
    await Promise.all(asked.map((ask) => expect(ask).rejects.toBeInstanceOf(StoreUnavailableError)));
    const waiting = async () => {
      const { rows } = await other.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length;
    };
    expect(await waiting()).toBe(2);
    await expect.poll(waiting).toBe(0);
    await other.query('ROLLBACK');
    expect(await idsIn(store)).toEqual(['a']);
  });

  it('does not keep a store from closing, nor the process from ending', async () => {
    const others = openSockets();
    const proxy = await DatabaseProxy.start(await newDatabase());
    const store = await openOnPostgres(proxy.url, BOUND);
    await insert(store, token('a'));
    await store.get('tokens', TENANT, 'a');
    await store.find('tokens', {});
    proxy.stall();
    await store.close();
    // The proxy has two for each connection, that of commits and that of reads, and leaves them open.
    await expect.poll(openSockets).toBeLessThanOrEqual(others + 4);
    proxy.resume();
  });

  it.each(sampled(SILENCES))('creates a token once when the commit is not answered: %s', async (when) => {
    const proxy = await DatabaseProxy.start(await newDatabase());
    const emulator = await startEmulator(proxy.url);
    const create = () =>
      emulator.call('POST', '/tokens', {
        body: { id: 'the-marked-one', type: 'token', data: 1 },
        idempotencyKey: 'k',
      });
    proxy.silenceAt('the-marked-one', when);
    const { status } = await create();
    expect([201, 503]).toContain(status);
    expect(proxy.cuts).toBe(1);
    expect(await create()).toMatchObject({ status: 201, body: { id: 'the-marked-one' } });
    expect((await emulator.call('GET', '/tokens')).body.pagination.total_items).toBe(1);
  });

  it.each(sampled(SILENCES))('commits once when the end of a transaction has no answer: %s', async (when) => {
    const proxy = await DatabaseProxy.start(await newDatabase());
    const store = await open(proxy.url);
    await insert(store, token('a'));
    proxy.silenceAt('COMMIT', when);
    // What was rejected has not happened, or the id would be taken.
    await insert(store, token('b')).catch(() => insert(store, token('b')));
    await insert(store, token('c'));
    expect(proxy.cuts).toBe(1);
    expect(await idsIn(store)).toEqual(['a', 'b', 'c']);
  });

  whenFull('has as much time as it needs to clear what is stored', async () => {
    const url = await newDatabase();
    const store = await open(url);
    await insert(store, token('a'));
    await slowDown('DELETE', url);
    await store.commit([{ clear: 'everything' }, { insert: 'tokens', record: token('b') }]);
    expect(await idsIn(store)).toEqual(['b']);
  });

  whenFull('has as much time as it needs to write a large batch', async () => {
    const url = await newDatabase();
    const store = await open(url);
    await insert(store, token('a'));
    await slowDown('INSERT', url);
    await insert(store, { ...token('b'), data: 'x'.repeat(9_000_000) });
    expect(await idsIn(store)).toEqual(['a', 'b']);
  });

  whenFull('rejects what is always slower than the bound, and works again', async () => {
    const url = await newDatabase();
    const store = await open(url);
    await insert(store, token('a'));
    const read = await store.get('tokens', TENANT, 'a');
    if (read === undefined) throw new Error('not stored');
    const replace = () => store.commit([{ replace: 'tokens', record: { ...read, data: 'new' } }]);
    await slowDown('DELETE OR INSERT', url);
    await expect(replace()).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await store.get('tokens', TENANT, 'a')).toMatchObject({ data: 'data of a' });
    await (await sharedPostgres()).query('DROP TRIGGER slow ON tokenctl.records', url);
    await replace();
    expect(await store.get('tokens', TENANT, 'a')).toMatchObject({ data: 'new' });
  });

  whenFull('may keep a start waiting', async () => {
    const url = await newDatabase();
    const other = await connect(url);
    const { opening } = await withMigrationLock(other, async () => {
      const opening = open(url);
      await Promise.race([opening, delay(SLOW_SECONDS * 1_000)]);
      return { opening };
    });
    await insert(await opening, token('a'));
  });
});

/** Messages of the server between two cuts: `npm test` cuts at some of them. */
const STEP = width(17, 1);

/** What uses a connection of each kind. */
const USES: ((store: Store, name: string) => Promise<unknown>)[] = [
  (store, name) => insert(store, token(name)),
  (store, name) => store.get('tokens', TENANT, name),
  (store) => store.find('tokens', { tenantId: TENANT, limit: 1 }),
  (store) => store.copy(() => {}),
  async (store) => store.shared?.updateState('clock', () => 1),
];

// Fault: commit, read | connection reset at any message | PostgreSQL
describe.skipIf(!hasPostgres)('a connection that is reset, at whichever message of the server', () => {
  it('fails what was asked, ends no process, and is replaced', async () => {
    const proxy = await DatabaseProxy.start(await newDatabase());
    await (await openOnPostgres(proxy.url)).close();
    const refusals = new Set<unknown>();
    for (let message = 1, isLong = true; isLong; message += STEP) {
      proxy.resetAt(message);
      const store = await openOnPostgres(proxy.url).catch((error: Error) => error);
      if (store instanceof Error) {
        refusals.add(store.constructor);
        continue;
      }
      for (const use of USES)
        await use(store, `t${message}`).catch((error: Error) => refusals.add(error.constructor));
      isLong = !proxy.isResetDue;
      proxy.heal();
      for (const use of USES) await use(store, `after-${message}`);
      // A copy of more records has more messages: the last one would never be reached.
      await store.commit([{ clear: 'everything' }]);
      await store.close();
    }
    // Of a start, and of what a second connection could not do either.
    for (const refusal of refusals) expect([StartError, StoreUnavailableError]).toContain(refusal);
    expect(refusals).toContain(StartError);
  });
});

const WRITERS = 4;
/** Tokens that are created before the primary is killed, and after. */
const CREATES = 40;

// Fault: commit | failover to standby | PostgreSQL
describe.skipIf(!hasPostgres)('a failover to a synchronous standby under writes', () => {
  it('loses nothing that was acknowledged, and the same emulators go on writing', async () => {
    const primary = await PostgresServer.start();
    const standby = await primary.startStandby();
    onTestFinished(() => standby.stop('crash'));
    const proxy = await DatabaseProxy.start(await primary.createDatabase());
    const fleet = await Fleet.use(proxy.url, 2);

    const created: string[] = [];
    const statuses = new Set<number>();
    let goal = CREATES;
    let number = 0;
    const write = async () => {
      while (created.length < goal) {
        number += 1;
        const id = `token-${number}`;
        const { status } = await fleet.call('POST', '/tokens', { body: { id, type: 'token', data: id } });
        statuses.add(status);
        if (status === 201) created.push(id);
      }
    };
    const writeAll = () => Promise.all(Array.from({ length: WRITERS }, write));
    await writeAll();
    goal = Number.POSITIVE_INFINITY;
    const writing = writeAll();
    await primary.stop('crash');
    await standby.query('SELECT pg_promote()');
    proxy.redirect(standby.port);
    goal = created.length + CREATES;
    await writing;

    for (const id of created)
      expect((await fleet.call('GET', `/tokens/${id}`)).body, id).toMatchObject({ id, data: id });
    for (const status of statuses) expect([201, 503]).toContain(status);
    expect(fleet.errors).toEqual([]);
  });
});
