import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as testing from '../../src/testing/index.js';
import { requireOfPackage } from '../support/executable.js';

const { startEmulator, startWebhookReceiver } = requireOfPackage('tokenctl/emulator') as typeof testing;

let emulator: testing.StartedEmulator;
beforeAll(async () => {
  emulator = await startEmulator({ port: 0, rateLimit: false });
});
afterAll(() => emulator.close());

test('the clock of a tenant lists what becomes due, and steps to it with the events that it causes', async () => {
  const tenant = await emulator.tenants.create();
  const receiver = await startWebhookReceiver();
  const { clock, client } = tenant;
  await clock.set('2040-01-01');
  await clock.freeze();
  const url = receiver.url;
  await client.call('webhooks.create', { body: { name: 'one', url, events: ['token.expired'] } });
  const data = { number: '4242424242424242', expiration_month: 12, expiration_year: 2041, cvc: '123' };
  await client.call('tokens.create', { body: { id: 'card', type: 'card', data } });
  for (const [id, expires_at] of [
    ['later', '2040-01-03'],
    ['sooner', '2040-01-02'],
  ] as const)
    await client.call('tokens.create', { body: { id, type: 'token', data: 1, expires_at } });
  expect(await clock.next()).toMatchObject([
    { at: expect.stringMatching(/^2040-01-01T01:00/), kind: 'cvc', id: 'card' },
    { at: '2040-01-02T00:00:00.000Z', kind: 'token', id: 'sooner' },
    { kind: 'token', id: 'later' },
  ]);
  expect(await clock.step()).toMatchObject({ due: [{ kind: 'cvc' }], events: [], pending: [] });
  expect(await clock.step()).toMatchObject({
    now: '2040-01-02T00:00:00.000Z',
    due: [{ id: 'sooner' }],
    events: [{ type: 'token.expired' }],
  });
  expect(receiver.received).toHaveLength(1);
  receiver.respondWith(503, 204);
  expect(await clock.step()).toMatchObject({ due: [{ id: 'later' }], events: [{ type: 'token.expired' }] });
  await expect.poll(() => clock.next()).toMatchObject([{ kind: 'webhook', event_type: 'token.expired' }]);
  expect(await clock.step()).toMatchObject({ due: [{ kind: 'webhook' }], pending: [] });
  expect(receiver.received).toHaveLength(3);
  await expect(clock.step()).rejects.toMatchObject({
    status: 400,
    problem: { errors: { next: [expect.any(String)] } },
  });
  await receiver.close();
  await tenant.delete();
});

test('token intents become due, each at its time', async () => {
  const tenant = await emulator.tenants.create();
  const receiver = await startWebhookReceiver();
  const { clock, client } = tenant;
  await clock.freeze();
  await clock.set('2040-01-01');
  const url = receiver.url;
  await client.call('webhooks.create', { body: { name: 'one', url, events: ['token-intent.expired'] } });
  await client.call('tokenIntents.create', { body: { type: 'token', data: 1 } });
  await clock.advance('5s');
  await client.call('tokenIntents.create', { body: { type: 'token', data: 2 } });
  for (const at of ['2040-01-02T00:00:00.000Z', '2040-01-02T00:00:05.000Z'])
    expect(await clock.step()).toMatchObject({
      due: [{ kind: 'token_intent', at }],
      events: [{ type: 'token-intent.expired' }],
    });
  await receiver.close();
  await tenant.delete();
});

test('what becomes due first is found among many tokens', async () => {
  const tenant = await emulator.tenants.create();
  const expires_at = '2050-01-01T00:00:00Z';
  const many = Array.from({ length: 150 }, () => ({ type: 'token', data: 1, expires_at }) as const);
  await tenant.seed({ tokens: [...many, { id: 'first', type: 'token', data: 1, expires_at: '2045-01-01' }] });
  const due = await tenant.clock.next();
  expect(due).toHaveLength(1);
  expect(due[0]).toMatchObject({ id: 'first' });
  await tenant.clock.step();
  expect((await tenant.clock.next()).length).toBe(100);
  await tenant.delete();
});
