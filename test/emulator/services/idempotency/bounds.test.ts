import { describe, expect, test } from 'vitest';
import { temporaryDataDir } from '../../../support/data-dir.js';
import { hasPostgres, postgresOptions } from '../../../support/postgres.js';
import { controlOf, createReactor, TestServer } from '../../../support/test-server.js';
import { width } from '../../../support/width.js';

/** Characters of a result, and how many of them are more than a tenant may store. */
const RESULT = 5_000_000;
const FLOOD = 14;

const LARGE = `module.exports = async () => ({ raw: { text: 'x'.repeat(${RESULT}) } });`;

/** Invokes a reactor asynchronously and waits for the result. @returns its path */
async function invoke(server: TestServer, reactor: string): Promise<string> {
  const { body } = await server.post(`/reactors/${reactor}/react-async`, {});
  const path = `/reactors/${reactor}/results/${body.asyncReactorRequestId}`;
  await expect.poll(async () => (await server.get(path)).status).toBe(200);
  return path;
}

const STORES = [
  { where: 'on disk', optionsOf: async () => ({ dataDir: await temporaryDataDir() }), isThere: true },
  { where: 'in memory', optionsOf: async () => ({ memory: true }), isThere: true },
  { where: 'on PostgreSQL', optionsOf: postgresOptions, isThere: hasPostgres },
];

describe.each(STORES)('stored responses $where', ({ optionsOf, isThere }) => {
  test.runIf(isThere && width(false, true))(
    'of a tenant are bounded in bytes: the oldest go, those of other tenants stay',
    async () => {
      const options = await optionsOf();
      const server = new TestServer(options);
      await server.start();
      const other = (await controlOf(server).post('/tenants', { name: 'other' })).body;
      const keyed = (key: string) => ({ headers: { 'SVC-IDEMPOTENCY-KEY': 'first' }, key });
      const create = async (key: string): Promise<string> =>
        (await server.post('/tokens', { type: 'token', data: 1 }, keyed(key))).body.id;
      const own = server.emulator.keys.private;
      const first = [await create(own), await create(other.keys.private)];
      const reactor = await createReactor(server, LARGE);
      const results = [await invoke(server, reactor)];
      if ('dataDir' in options) await server.restart();
      while (results.length < FLOOD) results.push(await invoke(server, reactor));
      const statusOf = async (index: number) => (await server.get(results.at(index) ?? '')).status;
      expect([await statusOf(0), await statusOf(1), await statusOf(-1)]).toEqual([404, 200, 200]);
      expect(await create(own)).not.toBe(first[0]);
      expect(await create(other.keys.private)).toBe(first[1]);
      await server.close();
    },
  );
});

test.runIf(width(false, true))(
  'of two tenants with answers that are kept in memory, each keeps its own',
  async () => {
    const server = new TestServer({ memory: true });
    await server.start();
    const other = (await controlOf(server).post('/tenants', { name: 'other' })).body;
    const detokenize = async (key: string, idempotencyKey: string, data: unknown) =>
      (await server.post('/detokenize', data, { key, headers: { 'SVC-IDEMPOTENCY-KEY': idempotencyKey } }))
        .body;
    await detokenize(other.keys.private, 'kept', 'first');
    for (let count = 0; count < FLOOD + 1; count++)
      await detokenize(server.emulator.keys.private, `flood ${count}`, 'x'.repeat(RESULT));
    expect(await detokenize(other.keys.private, 'kept', 'second')).toBe('first');
    await server.close();
  },
);
