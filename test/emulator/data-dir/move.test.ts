import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { removeSnapshots } from '../../../emulator/data-dir/move/copy-records.js';
import { openDirectoryEnd } from '../../../emulator/data-dir/move/directory-end.js';
import { type MoveOptions, moveData } from '../../../emulator/data-dir/move/move.js';
import { RecordDigests } from '../../../emulator/data-dir/move/record-digests.js';
import { markUnfinished } from '../../../emulator/data-dir/move-marks.js';
import { openPostgresStore } from '../../../emulator/store/postgres/open-postgres-store.js';
import type { Insert } from '../../../emulator/store/store.js';
import { call } from '../../support/call.js';
import { holds, temporaryDataDir } from '../../support/data-dir.js';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '../../support/emulator.js';
import { retainLog } from '../../support/log-retention.js';
import {
  DATA_KEY,
  hasPostgres,
  newDatabase,
  openOnPostgres,
  sharedPostgres,
} from '../../support/postgres.js';

const dataKey = async () => DATA_KEY;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

function move(dataDir: string, storeUrl: string, options: Partial<MoveOptions> = {}) {
  return moveData({
    dataDir,
    storeUrl,
    to: 'database',
    databaseKey: dataKey,
    directoryKey: dataKey,
    signal: new AbortController().signal,
    onCopied: () => {},
    ...options,
  });
}

async function withEmulator<T>(options: EmulatorOptions, task: (emulator: RunningEmulator) => Promise<T>) {
  const settings = { port: 0, rateLimit: false, logger: quiet, ...options };
  const emulator = await startEmulator(settings, { warmSandbox: false });
  try {
    return await task(emulator);
  } finally {
    await emulator.close();
  }
}

const stateOf = (options: EmulatorOptions) => withEmulator(options, describeState);
const tokenCount = async (options: EmulatorOptions) => (await stateOf(options)).tokens.pagination.total_items;

const control = async (emulator: RunningEmulator, method: string, path: string, body?: unknown) =>
  (await call(emulator, method, `/_emulator${path}`, { control: true, body })).body;

const IDEMPOTENT = { idempotencyKey: 'once', body: { type: 'token', data: 'repeated' } };

/** Creates records of every kind. Returns what must be the same after a move. */
async function fill(emulator: RunningEmulator) {
  const as = 'management';
  for (let i = 0; i < 9; i++)
    await call(emulator, 'POST', '/tokens', {
      body: {
        id: `token-${i}`,
        type: 'token',
        data: { plain: `plain-text-${i}` },
        metadata: { i: `${i % 3}` },
      },
    });
  await call(emulator, 'DELETE', '/tokens/token-0');
  const repeated = await call(emulator, 'POST', '/tokens', IDEMPOTENT);
  const code = 'module.exports = async ({ configuration }) => ({ raw: configuration.SECRET });';
  const reactor = { name: 'r', code, configuration: { SECRET: 'plain-secret' } };
  await call(emulator, 'POST', '/reactors', { as, body: reactor });
  await call(emulator, 'PUT', '/tenants/self', { as, body: { name: 'moved', settings: {} } });
  const webhook = { name: 'w', url: 'http://127.0.0.1:1/', events: ['token.created'] };
  await call(emulator, 'POST', '/webhooks', { as, body: webhook });
  await call(emulator, 'POST', '/tokens', { body: { type: 'token', data: 'pending' } });
  await control(emulator, 'POST', '/tenants', { name: 'second' });
  await control(emulator, 'POST', '/snapshots', { name: 'before' });
  const { id } = repeated.body;
  return { repeated: id as string, state: await describeState(emulator) };
}

/** Reads everything through the API, but for what each start and each read adds. */
async function describeState(emulator: RunningEmulator) {
  const as = 'management';
  const logs = (await call(emulator, 'GET', '/logs?size=100&operation=create', { as })).body;
  return {
    keys: emulator.keys,
    controlToken: emulator.controlToken,
    tenants: (await control(emulator, 'GET', '/tenants')).tenants,
    tokens: (await call(emulator, 'GET', '/tokens?size=100')).body,
    filtered: (await call(emulator, 'GET', '/tokens?metadata.i=2')).body,
    reactors: (await call(emulator, 'GET', '/reactors', { as })).body,
    webhooks: (await call(emulator, 'GET', '/webhooks', { as })).body,
    tenant: (await call(emulator, 'GET', '/tenants/self', { as })).body,
    applications: (await call(emulator, 'GET', '/applications', { as })).body,
    logs: logs.data,
    snapshots: (await control(emulator, 'GET', '/snapshots')).snapshots,
  };
}

/** A data directory with records of every kind, and an empty database. */
async function setUp() {
  const [dataDir, storeUrl] = [await temporaryDataDir(), await newDatabase()];
  return { dataDir, storeUrl, ...(await withEmulator({ dataDir }, fill)) };
}

describe.skipIf(!hasPostgres)('moving a data directory to PostgreSQL, and back', () => {
  test('keeps every record, key and snapshot, and leaves nothing behind', async () => {
    const { dataDir, storeUrl, repeated, state } = await setUp();
    expect(await holds(dataDir, 'plain-text-1')).toBe(true);

    const moved = await move(dataDir, storeUrl);
    expect(moved).toMatchObject({
      records: { tenants: 2, tokens: 10, reactors: 1, webhooks: 1 },
      snapshots: 1,
    });
    for (const secret of ['plain-text-1', 'plain-secret']) expect(await holds(dataDir, secret)).toBe(false);

    const elsewhere = await temporaryDataDir();
    await withEmulator({ dataDir: elsewhere, storeUrl, dataKey }, async (emulator) => {
      expect(await describeState(emulator)).toEqual(state);
      expect((await call(emulator, 'POST', '/tokens', IDEMPOTENT)).body.id).toBe(repeated);
      await control(emulator, 'POST', '/snapshots/before/restore');
      expect((await call(emulator, 'GET', '/tokens/token-1')).body.data).toEqual({ plain: 'plain-text-1' });
    });

    const back = await temporaryDataDir();
    await move(back, storeUrl, { to: 'directory' });
    const rows = await (await sharedPostgres()).query<{ count: string }>(
      'SELECT (SELECT count(*) FROM tokenctl.records) + (SELECT count(*) FROM tokenctl.state) + (SELECT count(*) FROM tokenctl.snapshots) AS count',
      storeUrl,
    );
    expect(rows).toEqual([{ count: '0' }]);
    expect(await holds(back, 'plain-text-1')).toBe(false);
    await withEmulator({ dataDir: back, dataKey }, async (emulator) => {
      expect(await describeState(emulator)).toEqual(state);
      expect((await call(emulator, 'POST', '/tokens', IDEMPOTENT)).body.id).toBe(repeated);
    });
    expect(await tokenCount({ storeUrl, dataKey })).toBe(0);
  });

  test('leaves a directory that is not started, so that the data can come back to it', async () => {
    const { dataDir, storeUrl, state } = await setUp();
    await move(dataDir, storeUrl);
    await expect(startEmulator({ port: 0, dataDir, logger: quiet })).rejects.toMatchObject({
      code: 'data_moved',
      message: `The data of this directory was moved to ${storeUrl}.`,
    });
    await withEmulator({ dataDir, storeUrl, dataKey }, async () => {});
    await withEmulator({ dataDir, memory: true }, async () => {});
    await move(dataDir, storeUrl, { to: 'directory' });
    expect((await stateOf({ dataDir })).tokens).toEqual(state.tokens);
  });

  test('is refused while an emulator uses either of them', async () => {
    const [dataDir, storeUrl] = [await temporaryDataDir(), await newDatabase()];
    await withEmulator({ dataDir }, async () => {
      await expect(move(dataDir, storeUrl)).rejects.toMatchObject({ code: 'data_dir_locked' });
    });
    await withEmulator({ storeUrl, dataKey }, async () => {
      await expect(move(dataDir, storeUrl)).rejects.toMatchObject({ code: 'store_in_use' });
      const back = move(await temporaryDataDir(), storeUrl, { to: 'directory' });
      await expect(back).rejects.toMatchObject({ code: 'store_in_use' });
    });
  });

  test('is refused when the target holds data, or the source none', async () => {
    const [dataDir, storeUrl] = [await temporaryDataDir(), await newDatabase()];
    await expect(move(dataDir, storeUrl)).rejects.toMatchObject({ code: 'nothing_to_move' });
    await withEmulator({ dataDir }, fill);
    await withEmulator({ storeUrl, dataKey }, async () => {});
    for (const to of ['database', 'directory'] as const)
      await expect(move(dataDir, storeUrl, { to })).rejects.toMatchObject({ code: 'target_not_empty' });
    expect(await tokenCount({ dataDir })).toBe(10);
  });

  // Fault: move | kill or interrupt in any phase | disk, PostgreSQL
  test('that is interrupted leaves the source as it was and the target empty', async () => {
    const { dataDir, storeUrl, state } = await setUp();
    const controller = new AbortController();
    const interrupted = move(dataDir, storeUrl, {
      signal: controller.signal,
      onCopied: () => controller.abort(new Error('Ctrl-C')),
    });
    await expect(interrupted).rejects.toThrow('Ctrl-C');
    expect(await stateOf({ dataDir })).toEqual(state);
    expect(await tokenCount({ storeUrl, dataKey })).toBe(0);
  });

  test('that was killed is made again from its beginning, and no emulator starts on a part of it', async () => {
    const { dataDir, storeUrl, state } = await setUp();
    const store = await openOnPostgres(storeUrl);
    await store.commit([markUnfinished, { insert: 'settings', record: { id: 'part', value: 1 } }]);
    await store.close();
    const started = startEmulator({ port: 0, storeUrl, dataKey, logger: quiet });
    await expect(started).rejects.toMatchObject({ code: 'move_unfinished' });
    await move(dataDir, storeUrl);
    expect(await stateOf({ storeUrl, dataKey })).toEqual(state);
    const { store: reopened } = await openPostgresStore({ url: storeUrl, dataKey, logger: quiet });
    expect(await reopened.get('settings', '', 'part')).toBeUndefined();
    await reopened.close();
  });

  const openSource = (dataDir: string) =>
    openDirectoryEnd(dataDir, dataKey, { mustExist: true, logger: quiet });

  test.each(['before', 'while'])('that was killed %s it emptied the source only does that', async (when) => {
    const { dataDir, storeUrl } = await setUp();
    const copy = `${dataDir}-copy`;
    await cp(dataDir, copy, { recursive: true });
    const first = await move(dataDir, storeUrl);
    if (when === 'while') {
      const source = await openSource(copy);
      await removeSnapshots(source.snapshotStorage);
      await source.close();
    }
    let copied = 0;
    const again = await move(copy, storeUrl, { onCopied: (records) => (copied += records) });
    expect([again, copied]).toEqual([first, 0]);
    expect(await holds(copy, 'plain-text-1')).toBe(false);
  });

  test('keeps the records of the source until its snapshots are removed', async () => {
    const { dataDir } = await setUp();
    const source = await openSource(dataDir);
    await mkdir(join(dataDir, 'snapshots', 'not-a-file.jsonl'));
    await expect(source.empty('postgres://u@h/d')).rejects.toThrow();
    expect((await source.store.find('tenants', { limit: 0 })).total).toBe(2);
    await source.close();
  });
});

const setting = (id: string, value: unknown): Insert => ({ insert: 'settings', record: { id, value } });
const digestsOf = (...changes: Insert[]) => {
  const digests = new RecordDigests();
  for (const change of changes) digests.add(change);
  return digests;
};

const KEPT = 10;

function entry(n: number): Insert {
  const record = { id: `e${n}`, tenant_id: 't', actor_type: 'system', entity_type: 'token' } as const;
  return {
    insert: 'log',
    record: {
      ...record,
      operation: 'read',
      created_at: '2030-01-01T00:00:00.000Z',
    },
  };
}

test('two stores hold the same: whatever the order of records and of their properties', () => {
  const one = digestsOf(setting('a', { x: 1, y: 2 }), setting('b', 1));
  expect(one.firstDifference(digestsOf(setting('b', 1), setting('a', { y: 2, x: 1 })))).toBeUndefined();
});

test.each([
  ['a changed value', [setting('a', 1), setting('b', 3)], 'b'],
  ['a missing record', [setting('a', 1)], 'b'],
  ['one record more', [setting('a', 1), setting('b', 2), setting('c', 2)], 'c'],
])('two stores hold the same: but for %s, which is named', (_, changes, id) => {
  const difference = digestsOf(setting('a', 1), setting('b', 2)).firstDifference(digestsOf(...changes));
  expect(difference).toBe(JSON.stringify(['settings', '', id]));
});

test('two stores hold the same when one still has older entries of the audit log than are kept', () => {
  retainLog(KEPT);
  const [all, kept] = [new RecordDigests(), new RecordDigests()];
  for (let i = 0; i < KEPT + 5; i++) {
    all.add(entry(i));
    if (i >= 5) kept.add(entry(i));
  }
  expect(all.firstDifference(kept)).toBeUndefined();
  expect([all.counts.log, all.size]).toEqual([KEPT, KEPT]);
});
