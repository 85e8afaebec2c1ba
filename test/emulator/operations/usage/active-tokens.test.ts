import { describe, expect, it } from 'vitest';
import { useServer } from '../../../support/test-server.js';

const server = useServer({ clock: Date.parse('2030-01-10T00:00:00Z') });
const report = async () =>
  (await server.get('/tenants/self/reports/usage', { as: 'management' })).body.token_report;
const active = async () => (await report()).monthly_active_tokens;

describe('the usage report', () => {
  it('counts live tokens by type with their last creation', async () => {
    const token = await server.token({ type: 'token', data: 1 });
    const card = await server.token({ type: 'card_number', data: '4242424242424242' });
    expect((await report()).metrics_by_type).toEqual({
      token: { count: 1, last_created_at: token.created_at },
      card_number: { count: 1, last_created_at: card.created_at },
    });
    await server.delete(`/tokens/${card.id}`);
    expect((await report()).metrics_by_type).toEqual({
      token: { count: 1, last_created_at: token.created_at },
    });
  });

  it('monthly active tokens: created, read, listed or used in the month, each once, deleted ones too', async () => {
    expect(await active()).toBe(2);
    const ids: string[] = [];
    for (const data of [1, 2, 3, 4])
      ids.push((await server.token({ type: 'token', data, metadata: { n: String(data) } })).id);
    expect(await active()).toBe(6);
    await server.emulator.clock.advance(31 * 86_400_000);
    expect(await active()).toBe(0);
    for (const _twice of [1, 2]) await server.get(`/tokens/${ids[0]}`);
    expect(await active()).toBe(1);
    await server.get('/tokens?metadata.n=2');
    expect(await active()).toBe(2);
    await server.post('/detokenize', `{{ ${ids[2]} }}`);
    expect(await active()).toBe(3);
    await server.delete(`/tokens/${ids[2]}`);
    await server.delete(`/tokens/${ids[3]}`);
    expect(await active()).toBe(3);
  });

  it('counts deleted tokens of the month after the sweep has folded their entries into a number', async () => {
    await server.emulator.clock.advance(31 * 86_400_000);
    const ids: string[] = [];
    for (const data of ['a', 'b', 'c']) ids.push((await server.token({ type: 'token', data })).id);
    for (const id of ids.slice(1)) await server.delete(`/tokens/${id}`);
    for (const _twice of [1, 2]) {
      await server.emulator.clock.advance(61_000);
      expect(await active()).toBe(3);
    }
    const again = await server.token({ type: 'token', data: 'd' });
    await server.delete(`/tokens/${again.id}`);
    await server.emulator.clock.advance(61_000);
    expect(await active()).toBe(4);
  });
});
