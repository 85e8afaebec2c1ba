import { describe, expect, test } from 'vitest';
import { createReactor, react, useServer } from '../../../support/test-server.js';

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
