import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Condition } from '../../../emulator/store/condition.js';
import {
  ConflictError,
  StorageError,
  StorageFullError,
  StoreUnavailableError,
} from '../../../emulator/store/errors.js';
import { createMemoryStore } from '../../../emulator/store/memory-store.js';
import type { Stored, TokenRecord } from '../../../emulator/store/records.js';
import type { Change, Store } from '../../../emulator/store/store.js';
import { type Cut, DatabaseProxy } from '../../support/database-proxy.js';
import { hasPostgres, newDatabase, openOnPostgres, sharedPostgres } from '../../support/postgres.js';
import { width } from '../../support/width.js';
import { open } from './boundaries.js';
import { type Fault, SimulatedDisk } from './simulated-disk.js';
import { seeded, TENANTS, token } from './workload.js';

const [TENANT, OTHER_TENANT] = TENANTS;

/** What befalls each store in a round: an operation of the disk from now on, and the connection to the database. */
interface Faults {
  disk: { after: number; fault: Fault };
  database:
    | { cut: 'COMMIT' | 'insert'; when: Cut }
    | { reset: number }
    | { statement: '40001' | '53100' }
    | 'terminated';
}

/** A store to which faults happen, and that is repaired after them. */
abstract class Subject {
  store!: Store;
  /** Whether a failure leaves open what was made, of whatever kind it is. */
  hasStopped = false;
  abstract restart(): Promise<void>;
  async befall(_: Faults): Promise<void> {}
  /** Takes back what has not happened, or starts the store again if it has stopped. */
  async repair(): Promise<void> {}
}

class InMemory extends Subject {
  override store = createMemoryStore();
  async restart() {}
}

class OnDisk extends Subject {
  #disk: SimulatedDisk;

  constructor(seed: number) {
    super();
    this.#disk = new SimulatedDisk({}, seeded(seed));
  }

  /** Cuts the power: what was acknowledged is on the disk. */
  async restart() {
    const left = this.#disk.afterCrash(this.#disk.hasCrashed ? undefined : 'lost');
    await this.store?.close().catch(() => {});
    this.#disk = left;
    this.store = await open(left);
  }

  override async befall({ disk: { after, fault } }: Faults) {
    this.#disk.faults.set(this.#disk.operations + after, fault);
  }

  override async repair() {
    this.#disk.faults.clear();
    this.hasStopped = this.#disk.hasCrashed;
    if (this.hasStopped) await this.restart();
  }
}

/** Sequence numbers at which the next statement that inserts records fails, by what the server says then. */
const FAILS = { '40001': 100, '53100': 200 };

class OnPostgres extends Subject {
  #url = '';
  #proxy!: DatabaseProxy;
  /** Runs while the commits of a round do. */
  #terminating: Promise<unknown> | undefined;

  async restart() {
    if (this.#url === '') await this.#create();
    await this.store?.close();
    this.store = await openOnPostgres(this.#proxy.url);
  }

  async #create() {
    this.#url = await newDatabase();
    this.#proxy = await DatabaseProxy.start(this.#url);
    await (await openOnPostgres(this.#url)).close();
    // A transaction that is rolled back leaves a sequence as it is: it fails once.
    await this.#query(`CREATE SEQUENCE public.due START 1000;
      CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE n bigint := nextval('public.due'); BEGIN
        IF n = ${FAILS['40001']} THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF;
        IF n = ${FAILS['53100']} THEN RAISE EXCEPTION USING ERRCODE = '53100'; END IF;
        RETURN NULL; END $$;
      CREATE TRIGGER fail BEFORE INSERT ON tokenctl.records FOR EACH STATEMENT EXECUTE FUNCTION public.fail()`);
  }

  async #query(text: string) {
    return (await sharedPostgres()).query(text, this.#url);
  }

  override async befall({ database }: Faults) {
    if (database === 'terminated')
      this.#terminating = this.#query(
        // When it answers, they have ended: none is lost later.
        `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
         WHERE application_name = 'tokenctl' AND datname = current_database()`,
      );
    else if ('cut' in database) this.#proxy.cutAt(database.cut, database.when);
    else if ('reset' in database) this.#proxy.resetAt(database.reset);
    else await this.#query(`SELECT setval('public.due', ${FAILS[database.statement] - 1})`);
  }

  override async repair() {
    this.#proxy.heal();
    await this.#terminating;
    await this.#query(`SELECT setval('public.due', 1000)`);
  }
}

/** What a client does to a token of its own; `clear` takes all tokens of its tenant. */
type Step = { do: 'insert' | 'replace' | 'remove' | 'clear'; id: string; value: string; more: Fields };
type Fields = Partial<TokenRecord>;
type Commit = readonly Step[];
/** Tokens by id. The object stands for the revision. */
type State = ReadonlyMap<string, Pick<Step, 'value' | 'more'>>;
type Outcome = 'made' | 'refused' | 'unknown' | [reason: string, id: string];

/** Says what a commit does by the contract. @param read what its client had read when it sent the commit */
function expected(state: State, commit: Commit, read: State): { outcome: Outcome; next: State } {
  const next = new Map(state);
  for (const { do: what, id, value, more } of commit) {
    const stored = next.get(id);
    const isInsert = what === 'insert' || (what === 'replace' && !read.has(id));
    if (what === 'clear') next.clear();
    else if (isInsert && stored) return { outcome: ['id', id], next: state };
    else if (!isInsert && !stored) return { outcome: ['missing', id], next: state };
    else if (what === 'replace' && !isInsert && stored !== read.get(id))
      return { outcome: ['revision', id], next: state };
    else if (what === 'remove') next.delete(id);
    else next.set(id, { value, more });
  }
  return { outcome: 'made', next };
}

/** Lets segments of the disk fill. */
const PADDING = '-'.repeat(200);

const valuesOf = (state: State) => [...state].map(([id, { value }]) => `${id} ${value}`).sort();

/** Makes commits on tokens of its own, several at once, and looks up what it does not know. */
class Client {
  /** What every store holds at rest. */
  state: State = new Map();

  constructor(
    readonly tenantId: string,
    readonly name: string,
  ) {}

  async read(store: Store): Promise<Map<string, Stored<TokenRecord>>> {
    for (;;)
      try {
        const { records } = await store.find('tokens', { tenantId: this.tenantId });
        return new Map(records.filter(({ id }) => id.startsWith(this.name)).map((one) => [one.id, one]));
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
      }
  }

  async values(store: Store): Promise<string[]> {
    return [...(await this.read(store))].map(([id, { data }]) => `${id} ${data}`).sort();
  }

  changesOf(commit: Commit, read: ReadonlyMap<string, Stored<TokenRecord>>): Change[] {
    const { tenantId } = this;
    return commit.map(({ do: what, id, value, more }) => {
      if (what === 'clear') return { clear: 'tenant', tenantId };
      if (what === 'remove') return { remove: 'tokens', tenantId, id };
      const record = { ...token(tenantId, id, value), ...more, mask: PADDING };
      const revision = what === 'replace' ? read.get(id)?.revision : undefined;
      if (revision === undefined) return { insert: 'tokens', record };
      return { replace: 'tokens', record: { ...record, revision } };
    });
  }

  /** Checks what a store holds after commits that were sent at once. */
  async check(subject: Subject, commits: readonly Commit[], outcomes: readonly Outcome[]) {
    let possible = [this.state];
    for (const [at, commit] of commits.entries())
      possible = possible.flatMap((before) => {
        const { outcome, next } = expected(before, commit, this.state);
        const found = outcomes[at] as Outcome;
        if (found === 'unknown') return [before, next];
        if (found === 'refused') return [before];
        return String(found) === String(outcome) ? [next] : [];
      });
    // Those after it were validated without it; the next start may find it.
    const left = commits.filter((_, at) => subject.hasStopped && outcomes[at] === 'refused');
    for (const commit of left)
      possible = possible.flatMap((before) => [before, expected(before, commit, this.state).next]);
    const what = JSON.stringify([subject.constructor.name, commits, outcomes, valuesOf(this.state)]);
    expect(possible.map(valuesOf), what).toContainEqual(await this.values(subject.store));
  }

  /** Repeats what was not made, until the store holds what it is to hold. */
  async complete(subject: Subject, target: State) {
    for (;;) {
      const read = await this.read(subject.store);
      const steps: Step[] = [...read.keys()].flatMap((id) =>
        target.has(id) ? [] : [{ do: 'remove', id, value: '', more: {} }],
      );
      for (const [id, one] of target)
        if (read.get(id)?.data !== one.value) steps.push({ do: 'replace', id, ...one });
      if (steps.length === 0) return;
      const outcome = await outcomeOf(subject.store.commit(this.changesOf(steps, read)));
      // Nobody else changes these tokens.
      expect(outcome, subject.constructor.name).not.toBeInstanceOf(Array);
      await subject.repair();
      if (outcome === 'made') expect(await this.values(subject.store)).toEqual(valuesOf(target));
    }
  }
}

const outcomeOf = (commit: Promise<void>): Promise<Outcome> =>
  commit.then(
    () => 'made',
    (error) => {
      if (error instanceof ConflictError) return [error.reason, error.id];
      if (error instanceof StoreUnavailableError) return 'unknown';
      if (error instanceof StorageError || error instanceof StorageFullError) return 'refused';
      throw error;
    },
  );

type Round = { work: Commit[][]; faults: Faults | null };

async function run(subject: Subject, clients: readonly Client[], targets: State[], { work, faults }: Round) {
  const reads = await Promise.all(clients.map((client) => client.read(subject.store)));
  if (faults) await subject.befall(faults);
  const outcomes = await Promise.all(
    clients.map((client, at) =>
      Promise.all(
        (work[at] ?? []).map((commit) =>
          outcomeOf(subject.store.commit(client.changesOf(commit, reads[at] ?? new Map()))),
        ),
      ),
    ),
  );
  await subject.repair();
  if (!faults) for (const outcome of outcomes.flat()) expect(['refused', 'unknown']).not.toContain(outcome);
  for (const [at, client] of clients.entries())
    await client.check(subject, work[at] ?? [], outcomes[at] ?? []);
  for (const [at, client] of clients.entries()) await client.complete(subject, targets[at] ?? new Map());
}

/** What a store holds and finds when nothing is in flight. */
async function atRest({ store }: Subject, conditions: (Condition<'tokens'> | undefined)[]) {
  const records = new Map<string, unknown>();
  await store.copy(({ record }) => void records.set(record.id, record));
  const found = conditions.map(async (where) => {
    const { total, records } = await store.find('tokens', { tenantId: TENANT, ...(where && { where }) });
    return [total, records.map(({ id, data }) => [id, data])];
  });
  return { records, found: await Promise.all(found) };
}

const value = fc.constantFrom('x', 'xy', 'z');
const moment = fc.constantFrom(0, 1, 2).map((at) => new Date(at - 1).toISOString());
const fields: fc.Arbitrary<Fields> = fc.record(
  {
    metadata: fc.record({ k: value }),
    fingerprint: value,
    search_values: fc.uniqueArray(value),
    expires_at: moment,
    created_at: moment,
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

const step = fc.record({
  do: fc.constantFrom<Step['do'][]>('insert', 'insert', 'replace', 'replace', 'remove', 'clear'),
  id: fc.constantFrom('x', 'y', 'z'),
  more: fields,
});
const diskFault = fc.constantFrom<Fault[]>(
  ...(['ENOSPC', 'EIO', 'EIO'] as const).map((code) => ({ kind: 'error', code }) as const),
  ...(['lost', 'torn', 'kept'] as const).map((unsynced) => ({ kind: 'crash', unsynced }) as const),
  { kind: 'short' },
);
const databaseFault: fc.Arbitrary<Faults['database']> = fc.oneof(
  fc.record({
    cut: fc.constantFrom('COMMIT', 'insert'),
    when: fc.constantFrom<Cut[]>('before the server has it', 'after the server answered it'),
  }),
  fc.record({ reset: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ statement: fc.constantFrom('40001', '53100') }),
  fc.constant('terminated'),
);
const round = fc.record({
  finds: fc.array(fc.option(where, { nil: undefined }), { maxLength: 3 }),
  work: fc.array(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 3 }), {
    maxLength: 4,
  }),
  faults: fc.option(
    fc.record({
      disk: fc.record({ after: fc.integer({ min: 1, max: 6 }), fault: diskFault }),
      database: databaseFault,
    }),
  ),
});

/** Does the same on all stores, and compares them and the model after each round. */
async function expectEquivalence(create: (seed: number) => Subject[], numRuns: number, endOnFailure = false) {
  const rounds = fc.array(fc.oneof({ weight: 5, arbitrary: round }, fc.constant('restart' as const)), {
    maxLength: 12,
  });
  const property = fc.asyncProperty(rounds, fc.nat(), async (rounds, seed) => {
    const subjects = create(seed);
    await Promise.all(subjects.map((subject) => subject.restart()));
    // The last one has its tenant for itself, and clears it.
    const clients = ['a', 'b', 'c', 'd'].map(
      (name) => new Client(name === 'd' ? OTHER_TENANT : TENANT, name),
    );
    let count = 0;
    for (const one of [...rounds, 'restart' as const]) {
      if (one === 'restart') {
        await Promise.all(subjects.map((subject) => subject.restart()));
        continue;
      }
      const work = clients.map(({ name }, at) =>
        (one.work[at] ?? []).map((commit) =>
          commit.map((step): Step => {
            count += 1;
            const what = step.do === 'clear' && name !== 'd' ? 'remove' : step.do;
            return { do: what, id: name + step.id, value: `${count}`, more: step.more };
          }),
        ),
      );
      const targets = clients.map(({ state }, at) =>
        (work[at] ?? []).reduce((now, commit) => expected(now, commit, state).next, state),
      );
      await Promise.all(subjects.map((subject) => run(subject, clients, targets, { ...one, work })));
      for (const [at, client] of clients.entries()) client.state = targets[at] ?? client.state;
      const [memory, ...others] = await Promise.all(subjects.map((subject) => atRest(subject, one.finds)));
      for (const other of others) expect(other).toEqual(memory);
    }
    for (const { store } of subjects) {
      for (const client of clients) expect(await client.values(store)).toEqual(valuesOf(client.state));
      await store.close();
    }
  });
  await fc.assert(property, { numRuns, endOnFailure });
}

// Fault: commit, start | failed writes and syncs, full disk, power cut | disk, memory
test('a disk with faults is like memory, after each round and restart', async () => {
  await expectEquivalence((seed) => [new InMemory(), new OnDisk(seed)], width(40, 1_500));
});

// Fault: commit, start | cut connections, failed statements | disk, memory, PostgreSQL
test.skipIf(!hasPostgres)('a PostgreSQL database and a disk with faults are like memory', async () => {
  const create = (seed: number) => [new InMemory(), new OnDisk(seed), new OnPostgres()];
  // To make a failure smaller would take an hour.
  await expectEquivalence(create, width(8, 300), true);
});
