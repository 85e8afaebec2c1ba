import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type * as testing from '../../src/testing/index.js';
import { requireOfPackage } from '../support/executable.js';

const { startEmulator, startWebhookReceiver } = requireOfPackage('tokenctl/emulator') as typeof testing;

const CHARGE = `module.exports = async ({ args }) => {
  const response = await fetch(args.url, { method: 'POST', body: JSON.stringify(args.body) });
  console.log('answered', response.status);
  return { raw: { status: response.status, body: await response.json() } };
};`;
const URL_OF_API = 'https://api.processor.example/charges';

let emulator: testing.StartedEmulator;
let tenant: testing.Tenant;
let react: (args: Record<string, unknown>) => Promise<unknown>;
beforeAll(async () => {
  emulator = await startEmulator({ port: 0, rateLimit: false });
});
beforeEach(async () => {
  tenant = await emulator.tenants.create();
  const { reactors } = await tenant.seed({
    reactors: [{ name: 'charge', code: CHARGE, configuration: {} }],
    tokens: [{ id: 'card', type: 'token', data: '4242424242424242' }],
  });
  const path = { id: reactors[0]?.id ?? '' };
  react = async (args) => (await tenant.client.call('reactors.react', { path, body: { args } }))?.raw;
});
afterEach(() => tenant.delete());
afterAll(() => emulator.close());

test('a double answers in place of a host: a request of a reactor, with its data as sent', async () => {
  await tenant.outbound.respond({ host: 'api.processor.example' }, { status: 201, body: { id: 'ch_1' } });
  const body = { number: '{{ card }}', amount: 5 };
  expect(await react({ url: URL_OF_API, body })).toEqual({ status: 201, body: { id: 'ch_1' } });
  expect(tenant.outbound.calls).toMatchObject([
    { method: 'POST', url: URL_OF_API, path: '/charges', body: { number: '4242424242424242', amount: 5 } },
  ]);
  expect(tenant.outbound.har().log.entries).toMatchObject([
    {
      request: { method: 'POST', url: URL_OF_API },
      response: { status: 201, content: { text: '{"id":"ch_1"}' } },
    },
  ]);
  expect(await tenant.outbound.list()).toMatchObject([
    { source: 'reactor', method: 'POST', url: URL_OF_API, status: 201 },
  ]);
  expect(JSON.stringify(await tenant.invocations.list())).not.toContain('4242424242424242');
  expect(await tenant.invocations.list()).toMatchObject([
    { status: 200, console: [{ message: 'answered 201' }], requests: [{ status: 201 }] },
  ]);
});

test('a double answers in place of a host: a request of a proxy, and a callback', async () => {
  await tenant.outbound.respond({ host: '*.processor.example' }, { body: { done: true } });
  const { status, body } = await tenant.client.request({
    method: 'POST',
    path: '/proxy/charges',
    permission: 'token:use',
    headers: { 'content-type': 'application/json', 'svc-proxy-url': 'https://api.processor.example' },
    body: JSON.stringify({ number: '{{ card }}' }),
  });
  expect({ status, body }).toEqual({ status: 200, body: { done: true } });
  const { data } = await tenant.client.call('reactors.list');
  const callback_url = 'https://hooks.processor.example/done';
  const args = { url: URL_OF_API, body: {} };
  await tenant.client.call('reactors.react', {
    path: { id: data[0]?.id ?? '' },
    body: { args, callback_url },
  });
  expect(await tenant.deliveries.wait()).toEqual([]);
  expect(tenant.outbound.calls.map(({ host, path }) => host + path)).toEqual([
    'api.processor.example/charges',
    'api.processor.example/charges',
    'hooks.processor.example/done',
  ]);
  expect((await tenant.outbound.list()).map(({ source, status }) => `${source} ${status}`).sort()).toEqual([
    'callback 200',
    'proxy 200',
    'reactor 200',
  ]);
});

test('a double answers in place of a host of one tenant only', async () => {
  const other = await emulator.tenants.create();
  await other.outbound.respond({ host: 'api.processor.example' }, {});
  await expect(react({ url: URL_OF_API })).rejects.toThrow('--allow-net api.processor.example');
  await other.delete();
});

test('a double answers in place of a host: the newest that matches, as often as it may', async () => {
  const { respond } = tenant.outbound;
  await respond({ path: /^\/ch/g }, ({ body }) => ({ body }));
  await respond({ body: { amount: 5 } }, { status: 402, body: 'null' }, { times: 1 });
  const answer = async (amount: number) => react({ url: URL_OF_API, body: { amount } });
  expect(await answer(4)).toEqual({ status: 200, body: { amount: 4 } });
  expect(await answer(5)).toEqual({ status: 402, body: null });
  expect(await answer(5)).toEqual({ status: 200, body: { amount: 5 } });
  await respond({}, { reset: true });
  await expect(answer(4)).rejects.toThrow(/socket hang up|ECONNRESET/);
});

test('a double answers in place of a host by a path that begins with two slashes', async () => {
  await tenant.outbound.respond({ path: '//charges' }, { body: 1 });
  expect(await react({ url: 'https://api.processor.example//charges' })).toEqual({ status: 200, body: 1 });
});

test('a double answers in place of a host from a cassette, whose placeholders stand for any value', async () => {
  const file = new URL('../../fixtures/shop/reactors/refund.cassette.json', import.meta.url);
  await tenant.outbound.respond({}, JSON.parse(await readFile(file, 'utf8')));
  const body = { charge: 'ch_1', number: '{{ card }}', amount: 1999 };
  expect(await react({ url: 'https://processor.example/refunds', body })).toEqual({
    status: 200,
    body: expect.objectContaining({ id: 're_1', charge: 'ch_1' }),
  });
  const other = { url: 'https://processor.example/refunds', body: { ...body, charge: 'ch_9' } };
  expect(await react(other)).toMatchObject({ status: 501 });
});

test('an unexpected request names the nearest double and where it differs, and no value', async () => {
  const match = { host: 'api.processor.example', path: '/charges', body: { amount: 5, currency: 'usd' } };
  await tenant.outbound.respond(match, {});
  await tenant.outbound.respond({ host: 'api.processor.example', path: '/refunds' }, {});
  expect(tenant.outbound.verify).not.toThrow();
  expect(await react({ url: URL_OF_API, body: { amount: '{{ card }}' } })).toMatchObject({ status: 501 });
  expect(tenant.outbound.verify).toThrow(
    `An unexpected request was sent:
  POST https://api.processor.example/charges: the nearest double is any method api.processor.example/charges, where body.amount has another type, body.currency is missing.`,
  );
  await tenant.outbound.clear();
  expect(tenant.outbound.verify).not.toThrow();
  await expect(react({ url: URL_OF_API })).rejects.toThrow('--allow-net');
});

test('an unexpected request to any host but this machine, if asked', async () => {
  await tenant.outbound.unexpected('fail');
  expect(await react({ url: URL_OF_API, body: {} })).toMatchObject({ status: 501 });
  expect(tenant.outbound.verify).toThrow('there is no double');
  const receiver = await startWebhookReceiver();
  await expect(react({ url: receiver.url, body: {} })).rejects.toThrow();
  expect(receiver.received).toHaveLength(1);
  await receiver.close();
});

test('an SDK in runtime node is answered by a double, over https, also after it has connected to another host', async () => {
  const modules = fileURLToPath(new URL('../..', import.meta.url));
  const node = await startEmulator({
    port: 0,
    rateLimit: false,
    reactorRuntime: 'node',
    reactorModules: modules,
  });
  const own = await node.tenants.create();
  const code = `module.exports = async ({ configuration, args }) => {
    const stripe = require('stripe')(configuration.KEY, { maxNetworkRetries: 0 });
    const { id, amount } = await stripe.charges.create({ amount: 1999, currency: 'usd', source: args.source });
    return { raw: { id, amount } };
  };`;
  const { reactors } = await own.seed({ reactors: [{ name: 'p', code, configuration: { KEY: 'sk_test' } }] });
  const pay = () =>
    own.client.call('reactors.react', {
      path: { id: reactors[0]?.id ?? '' },
      body: { args: { source: 'tok' } },
    });
  await expect(pay()).rejects.toThrow();
  await own.outbound.respond({ host: 'api.stripe.com', path: '/v1/charges' }, ({ body }) => ({
    body: { id: 'ch_1', amount: Number((body as Record<string, string>).amount) },
  }));
  expect(await pay()).toEqual({ raw: { id: 'ch_1', amount: 1999 } });
  expect(own.outbound.calls).toMatchObject([
    { url: 'https://api.stripe.com/v1/charges', body: { source: 'tok' } },
  ]);
  await own.delete();
  await node.close();
});
