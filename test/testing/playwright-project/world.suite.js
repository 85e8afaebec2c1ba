// A world per test: 24 tests of two workers at the same time, each with tokens, clock and faults of its own.
import { expect, test } from 'tokenctl/playwright';

for (let number = 0; number < 24; number++) {
  test(`world ${number}`, async ({ tenant, client, clock, faults }) => {
    const expires_at = new Date((await clock.now()) + 3_600_000).toISOString();
    await client.call('tokens.create', {
      body: { id: 'same-id', type: 'token', data: `${number}`, expires_at },
    });
    if (number % 3 === 0) await clock.advance('2h');
    if (number % 3 === 1) await faults.add({ operation: 'tokens.list', status: 418, times: 1 });
    const listing = client.call('tokens.list').then(
      ({ data }) => data.length,
      ({ status }) => status,
    );
    expect(await listing).toBe([0, 418, 1][number % 3]);
    await expect(tenant).toHaveReceived({
      operation: 'tokens.create',
      times: 1,
      body: { data: `${number}` },
    });
    await expect(tenant).toHaveReceived({ operation: 'tokens.list', times: 1 });
    expect(await tenant.requests.findUnexpected()).toEqual([]);
  });
}

test('a callback reaches the receiver', async ({ tenant, client, webhooks }) => {
  const code = 'module.exports = async () => ({ raw: { paid: true } })';
  const { reactors } = await tenant.seed({ reactors: [{ name: 'charge', code, configuration: {} }] });
  const body = { callback_url: webhooks.url };
  await client.call('reactors.react', { path: { id: reactors[0].id }, body });
  expect(await tenant.deliveries.wait()).toEqual([]);
  expect(webhooks.received.map(({ body }) => body)).toEqual([{ raw: { paid: true } }]);
});

test('the matcher names the nearest request and where it differs', async ({ tenant, client }) => {
  await client.call('tokens.create', { body: { type: 'token', data: 'secret' } });
  await expect(tenant).not.toHaveReceived({ operation: 'tokens.list' });
  const failure = expect(tenant).toHaveReceived({ operation: 'tokens.create', body: { data: 'other' } });
  await expect(failure).rejects.toThrow(/body\.data differs/);
});
