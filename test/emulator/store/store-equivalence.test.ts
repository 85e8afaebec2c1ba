import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Condition } from '../../../emulator/store/condition.js';
import { createMemoryStore } from '../../../emulator/store/memory-store.js';
import type { TokenRecord } from '../../../emulator/store/records.js';
import type { Change, Store } from '../../../emulator/store/store.js';
import { open, temporaryDataDir } from '../../support/data-dir.js';
import { hasPostgres, newDatabase, openOnPostgres } from '../../support/postgres.js';
import { width } from '../../support/width.js';
import { logEntry, OTHER_TENANT, TENANT, token } from './contract.js';

type Step = (store: Store) => Promise<unknown>;

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const value = fc.constantFrom('x', 'xy', 'z');
const minute = fc.integer({ min: 0, max: 3 });

const fields: fc.Arbitrary<Partial<TokenRecord>> = fc.record(
  {
    metadata: fc.record({ k: value }),
    fingerprint: value,
    search_values: fc.uniqueArray(value),
    tenant_id: fc.constantFrom(TENANT, TENANT, OTHER_TENANT),
    expires_at: minute.map((at) => new Date(at - 1).toISOString()),
  },
  { requiredKeys: [] },
);

const where: fc.Arbitrary<Condition<'tokens'>> = fc.oneof(
  fc.record({ term: fc.constantFrom('metadata.k', 'fingerprint', 'search'), is: value }),
  fc.constant<Condition<'tokens'>>({ term: 'container', is: '/' }),
  value.map((is) => ({ not: { term: 'metadata.k', is } })),
  fc.record({ term: fc.constant('metadata.k'), prefix: fc.constantFrom('x', 'z') }),
  fc.record({ range: fc.constant('expires_at' as const), lt: fc.constantFrom(0, 1, 2) }),
) as fc.Arbitrary<Condition<'tokens'>>;

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'made',
    ({ reason, id }) => [reason, id],
  );

/** Many at once, so that they wait for one another. */
const commits = (all: Change[][]): Step => {
  return (store) => Promise.all(all.map((changes) => outcome(store.commit(structuredClone(changes)))));
};

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(id, minute, fields)
      .map(([id, minute, more]): Change => ({ insert: 'tokens', record: token(id, minute, more) })),
  },
  { weight: 2, arbitrary: id.map((id): Change => ({ remove: 'tokens', tenantId: TENANT, id })) },
  { weight: 1, arbitrary: fc.constant<Change>({ clear: 'tenant', tenantId: TENANT }) },
);

const replacement = fc.tuple(id, fields).map(([id, more]): Step => {
  return async (store) => {
    const read = await store.get('tokens', TENANT, id);
    if (read === undefined) return undefined;
    const { tenant_id: _, ...changed } = more;
    return outcome(store.commit([{ replace: 'tokens', record: { ...read, ...changed } }]));
  };
});

const entry = fc.uuid().map((id): Step => {
  return async (store) => store.record([logEntry(0, { id })]);
});

const search = where.map((where): Step => {
  return async (store) => {
    const { records, total } = await store.find('tokens', { tenantId: TENANT, where });
    return [total, records.map(({ id, metadata, search_values }) => [id, metadata, search_values])];
  };
});

/** By tenant: which of them comes first says nothing. */
const everything: Step = async (store) => {
  const found: { [tenant: string]: unknown[] } = { [TENANT]: [], [OTHER_TENANT]: [] };
  await store.copy(({ insert, record }) => {
    found[(record as TokenRecord).tenant_id]?.push([insert, record]);
  });
  return found;
};

const step = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 4 }).map(commits) },
  { weight: 2, arbitrary: replacement },
  { weight: 1, arbitrary: entry },
  { weight: 1, arbitrary: search },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
);

/** A store that can be closed and opened again. */
type Reopen = () => Promise<Store>;

/** Takes the same steps in memory and in another store, which is sometimes closed and opened again. */
async function expectEquivalence(create: () => Promise<Reopen>, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const memory = createMemoryStore();
      const reopen = await create();
      let store = await reopen();
      for (const step of [...steps, 'restart' as const, everything]) {
        if (step === 'restart') {
          await store.close();
          store = await reopen();
        } else expect(await step(store)).toEqual(await step(memory));
      }
      await store.close();
      await memory.close();
    }),
    { numRuns },
  );
}

it('a data directory that is closed and opened again behaves like memory', async () => {
  const create = async () => {
    const dataDir = await temporaryDataDir();
    return () => open(dataDir, { durability: 'os' });
  };
  await expectEquivalence(create, width(60, 1_500));
});

it.skipIf(!hasPostgres)('a PostgreSQL database that is closed and opened is like memory', async () => {
  const create = async () => {
    const url = await newDatabase();
    return () => openOnPostgres(url);
  };
  await expectEquivalence(create, width(20, 500));
});
