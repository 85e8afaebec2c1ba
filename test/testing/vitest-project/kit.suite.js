import { isSigned } from 'tokenctl/emulator';
import { test } from 'tokenctl/vitest';

test('a callback reaches the receiver, signed with the secret of the tenant', async ({
  tenant,
  client,
  webhooks,
  expect,
}) => {
  const code = 'module.exports = async () => ({ raw: { paid: true } })';
  const { reactors } = await tenant.seed({ reactors: [{ name: 'charge', code, configuration: {} }] });
  const body = { callback_url: webhooks.url };
  await client.call('reactors.react', { path: { id: reactors[0].id }, body });
  expect(await tenant.deliveries.wait()).toEqual([]);
  expect(webhooks.received.map(({ body }) => body)).toEqual([{ raw: { paid: true } }]);
  expect(isSigned(webhooks.received[0], tenant.webhook_secret)).toBe(true);
  expect(isSigned(webhooks.received[0], 'another secret')).toBe(false);
});

test('a retry is received once the clock of the tenant has passed its time', async ({
  tenant,
  clock,
  webhooks,
  expect,
}) => {
  await clock.freeze();
  webhooks.respondWith(503, 204);
  const code = 'module.exports = async () => ({})';
  const { reactors } = await tenant.seed({ reactors: [{ name: 'charge', code, configuration: {} }] });
  const body = { callback_url: webhooks.url };
  await tenant.client.call('reactors.react', { path: { id: reactors[0].id }, body });
  await expect.poll(async () => (await tenant.deliveries.list())[0]?.attempts).toBe(1);
  await clock.advance('5s');
  expect(webhooks.received).toHaveLength(2);
});

test('the matcher names the nearest request and where it differs', async ({ tenant, client, expect }) => {
  await client.call('tokens.create', { body: { type: 'token', data: 'secret' } });
  await expect(tenant).toHaveReceived({ operation: 'tokens.create', times: 1, body: { data: 'secret' } });
  await expect(tenant).not.toHaveReceived({ operation: 'tokens.list' });
  await expect(
    expect(tenant).toHaveReceived({ operation: 'tokens.create', body: { data: 'other' } }),
  ).rejects.toThrow(/^Expected at least one request of tokens\.create[\s\S]*body\.data differs$/);
  await expect(expect(tenant).not.toHaveReceived({ operation: 'tokens.create' })).rejects.toThrow(
    /tokens\.create/,
  );
  await expect(expect(client).toHaveReceived({})).rejects.toThrow(
    'toHaveReceived needs a tenant or an emulator.',
  );
});

test('matchers compare the order of requests, and find token data', async ({ tenant, client, expect }) => {
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
