import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createUsageReport } from '../../../../emulator/operations/tenants.js';
import { isExpired } from '../../../../emulator/operations/token-expiry.js';
import { activityOf, removalOf } from '../../../../emulator/services/activity.js';
import type { Stored, TokenRecord } from '../../../../emulator/store/records.js';
import type { Store } from '../../../../emulator/store/store.js';
import { open, temporaryDataDir } from '../../../support/data-dir.js';
import { createReactor, react, useServer } from '../../../support/test-server.js';
import { width } from '../../../support/width.js';
import { insert, TENANT, token } from '../../store/contract.js';

const DAY = 86_400_000;
/** The middle of a month, so that days can pass within it. */
const server = useServer({ clock: Date.UTC(2030, 4, 10) });

async function usage() {
  const { status, body } = await server.get('/tenants/self/reports/usage', { as: 'management' });
  expect(status).toBe(200);
  return body.token_report;
}

describe('spec, Tenant usage report', () => {
  test('counts live tokens by type with their last creation, and the active ones of the month with the deleted', async () => {
    const first = await server.token({ type: 'token', data: 1 });
    await server.emulator.clock.advance(1_000);
    const second = await server.token({ type: 'token', data: 2 });
    const { created_at } = await server.token({ type: 'us_bank_account_number', data: '12345' });
    expect(await usage()).toEqual({
      metrics_by_type: {
        token: { count: 2, last_created_at: second.created_at },
        us_bank_account_number: { count: 1, last_created_at: created_at },
      },
      included_monthly_active_tokens: 50,
      monthly_active_tokens: 3,
    });
    await server.delete(`/tokens/${first.id}`);
    const after = await usage();
    expect([after.metrics_by_type.token.count, after.monthly_active_tokens]).toEqual([1, 3]);
  });

  test('a token that has expired is not counted as live', async () => {
    const before = (await usage()).metrics_by_type.token.count;
    const expires_at = new Date(server.emulator.clock.now() + DAY).toISOString();
    await server.token({ type: 'token', data: 3, expires_at });
    expect((await usage()).metrics_by_type.token.count).toBe(before + 1);
    await server.emulator.clock.advance(DAY);
    expect((await usage()).metrics_by_type.token.count).toBe(before);
  });

  test('a new month starts at zero; reading, listing and using make a token active, once', async () => {
    const read = await server.token({ type: 'token', data: 4, metadata: { month: 'test' } });
    const used = await server.token({ type: 'token', data: 5 });
    const unused = await server.token({ type: 'token', data: 6 });
    await server.emulator.clock.set(Date.UTC(2030, 5, 1));
    expect((await usage()).monthly_active_tokens).toBe(0);
    await server.get(`/tokens/${read.id}`);
    await server.get(`/tokens/${read.id}`);
    await server.get('/tokens?metadata.month=test');
    expect((await usage()).monthly_active_tokens).toBe(1);
    await server.post('/detokenize', `{{ ${used.id} }}`);
    expect((await usage()).monthly_active_tokens).toBe(2);
    const reactor = await createReactor(server, 'module.exports = async () => ({});');
    await react(server, reactor, { used: `{{ ${used.id} }} {{ ${unused.id} }}` });
    expect((await usage()).monthly_active_tokens).toBe(3);
  });

  test('deleted tokens of the month count after the sweep has folded their entries into a number', async () => {
    await server.emulator.clock.advance(31 * DAY);
    const ids: string[] = [];
    for (const data of ['a', 'b', 'c']) ids.push((await server.token({ type: 'token', data })).id);
    for (const id of ids.slice(1)) await server.delete(`/tokens/${id}`);
    for (const _twice of [1, 2]) {
      await server.emulator.clock.advance(61_000);
      expect((await usage()).monthly_active_tokens).toBe(3);
    }
  });
});

describe('--included-monthly-tokens', () => {
  const plan = useServer({ includedMonthlyTokens: 1_000 });

  test('equals the number in the report', async () => {
    const { body } = await plan.get('/tenants/self/reports/usage', { as: 'management' });
    expect(body.token_report.included_monthly_active_tokens).toBe(1_000);
  });
});

interface World {
  store: Store;
  dataDir: string;
  now: number;
  created: number;
  /** `<month> <token id>` */
  active: Set<string>;
}

type Step = (world: World) => Promise<unknown>;

const timestamp = (time: number) => new Date(time).toISOString();
const monthOf = ({ now }: World) => timestamp(now).slice(0, 7);
const tokensOf = async ({ store }: World) => (await store.find('tokens', { tenantId: TENANT })).records;

const lifetime = fc.option(fc.integer({ min: 1, max: 60 }));
const expiry = ({ now }: World, days: number | null) =>
  days === null ? {} : { expires_at: timestamp(now + days * DAY) };

const create = fc
  .tuple(fc.constantFrom('token' as const, 'card' as const, 'bank' as const), lifetime)
  .map(([type, days]): Step => {
    return async (world) => {
      world.created += 1;
      const id = `token-${world.created}`;
      world.active.add(`${monthOf(world)} ${id}`);
      const created_at = timestamp(world.now + world.created);
      await insert(world.store, token(id, 0, { type, created_at, ...expiry(world, days) }));
    };
  });

/** A step that does something to one of the stored tokens, if there is one. */
const withToken = (act: (world: World, record: Stored<TokenRecord>) => unknown) =>
  fc.nat().map((n): Step => {
    return async (world) => {
      const tokens = await tokensOf(world);
      const chosen = tokens[n % tokens.length];
      if (chosen !== undefined) await act(world, chosen);
    };
  });

const update = lifetime.chain((days) =>
  withToken((world, { expires_at: _, ...rest }) =>
    world.store.commit([{ replace: 'tokens', record: { ...rest, ...expiry(world, days) } }]),
  ),
);

const read = withToken((world, record) => {
  world.store.record(activityOf([record], world.now));
  world.active.add(`${monthOf(world)} ${record.id}`);
});

const remove = withToken((world, record) => world.store.commit(removalOf([record], world.now)));

const sweep: Step = async (world) => {
  const expired = (await tokensOf(world)).filter((record) => isExpired(record, world.now));
  await world.store.commit(removalOf(expired, world.now));
};

const clear: Step = async (world) => {
  await world.store.commit([{ clear: 'tenant', tenantId: TENANT }]);
  world.active.clear();
};

const restart: Step = async (world) => {
  await world.store.close();
  world.store = await open(world.dataDir, { durability: 'os' });
};

const pass = fc.integer({ min: 1, max: 40 }).map((days): Step => {
  return async (world) => {
    world.now += days * DAY;
  };
});

const step = fc.oneof(
  { weight: 6, arbitrary: create },
  { weight: 2, arbitrary: update },
  { weight: 2, arbitrary: remove },
  { weight: 2, arbitrary: read },
  { weight: 2, arbitrary: pass },
  { weight: 2, arbitrary: fc.constantFrom(sweep, clear, restart) },
);

/** Counts by looking at every token. */
async function recount(world: World) {
  const counts: Record<string, { count: number; last_created_at: string }> = {};
  for (const record of await tokensOf(world)) {
    if (isExpired(record, world.now)) continue;
    const { count = 0, last_created_at: last = '' } = counts[record.type] ?? {};
    counts[record.type] = {
      count: count + 1,
      last_created_at: record.created_at > last ? record.created_at : last,
    };
  }
  const active = [...world.active].filter((one) => one.startsWith(monthOf(world)));
  return {
    metrics_by_type: counts,
    monthly_active_tokens: active.length,
    included_monthly_active_tokens: 50,
  };
}

it('the counts of the usage report equal those recounted after any changes, expiry, clear and restart', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const dataDir = await temporaryDataDir();
      const store = await open(dataDir, { durability: 'os' });
      const world: World = { store, dataDir, now: Date.UTC(2030, 0, 1), created: 0, active: new Set() };
      for (const step of steps) {
        await step(world);
        const clock = { now: () => world.now };
        const options = { includedMonthlyTokens: 50 };
        const report = await createUsageReport(TENANT, { store: world.store, clock, options });
        expect(report.token_report).toEqual(await recount(world));
      }
      await world.store.close();
    }),
    { numRuns: width(40, 1_000) },
  );
});
