// A world per test: 24 tests of two workers at the same time, each with tokens, clock and faults of its own.
import { expect, test } from 'tokenctl/playwright';
import { useWorld } from '../world.js';

for (let number = 0; number < 24; number++) {
  test(`world ${number}`, ({ tenant, client, clock, faults }) =>
    useWorld(number, { tenant, client, clock, faults, expect }));
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
  await expect(tenant).toHaveReceived({ operation: 'tokens.create', times: 1, body: { data: 'secret' } });
  await expect(tenant).not.toHaveReceived({ operation: 'tokens.list' });
  const failure = expect(tenant).toHaveReceived({ operation: 'tokens.create', body: { data: 'other' } });
  await expect(failure).rejects.toThrow(/body\.data differs/);
});

test('matchers compare the order of requests, and find token data', async ({ tenant, client }) => {
  const [created, listed] = [{ operation: 'tokens.create' }, { operation: 'tokens.list' }];
  await client.call('tokens.list');
  await client.call('tokens.create', { body: { type: 'token', data: 'a secret of the test' } });
  await expect(tenant).toHaveReceived([listed, created]);
  await expect(expect(tenant).toHaveReceived([created, listed])).rejects.toThrow(
    'Expected 2 requests in order, but number 2, tokens.list, did not come.',
  );
  await tenant.requests.clear();
  await expect(tenant).not.toHaveReceived(created);
  await expect(tenant).toHaveNoLeaks('nothing secret');
  await expect(expect(tenant).toHaveNoLeaks('data: a secret of the test')).rejects.toThrow(
    /^Token data appeared outside of the service:\s+text 1: data of token \S+, as plain text/,
  );
  await client.call('tokens.create', {
    body: { type: 'token', data: 1, metadata: { note: 'a secret of the test' } },
  });
  await expect(expect(tenant).toHaveNoLeaks()).rejects.toThrow('metadata of token');
});
