import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RequestExpectation } from '../../../../src/contract/control/request-journal.js';
import type * as testing from '../../../../src/testing/index.js';
import { requireOfPackage } from '../../../support/executable.js';

const { startEmulator, VerificationError } = requireOfPackage('tokenctl/emulator') as typeof testing;

let emulator: testing.StartedEmulator;
let tenant: testing.Tenant;
let reactor: string;

beforeAll(async () => {
  emulator = await startEmulator({ port: 0, rateLimit: false });
});
afterAll(() => emulator.close());
beforeEach(async () => {
  tenant = await emulator.tenants.create();
  const code = 'module.exports = async ({ args }) => ({ raw: args })';
  const { reactors } = await tenant.seed({ reactors: [{ name: 'echo', code, configuration: {} }] });
  reactor = reactors[0]?.id ?? '';
});

const react = (args: object) =>
  tenant.client.call('reactors.react', { path: { id: reactor }, body: { args: args as never } });

const failureOf = (expectation: RequestExpectation): Promise<string> =>
  tenant.requests.verify(expectation).then(
    () => 'ok',
    (error: testing.VerificationError) => error.message,
  );

test('requests.verify counts the requests that hold what is expected', async () => {
  await react({ amount: 5, items: ['a', 'b'], nested: { currency: 'EUR' } });
  await react({ amount: 7 });
  await tenant.requests.verify({ operation: 'reactors.react', times: 1, body: { args: { amount: 5 } } });
  await tenant.requests.verify({ body: { args: { nested: { currency: 'EUR' }, items: ['a', 'b'] } } });
  await tenant.requests.verify({ operation: 'reactors.react', times: 2, status: 200 });
  await tenant.requests.verify({ path: `/reactors/${reactor}/react`, times: { min: 1, max: 2 } });
  await tenant.requests.verify({ operation: 'tokens.delete', times: 0 });
});

test.each<[string, RequestExpectation, string]>([
  ['another value', { body: { args: { amount: 6 } } }, 'body.args.amount differs'],
  ['another type', { body: { args: { amount: '5' } } }, 'body.args.amount has another type'],
  ['a missing property', { body: { args: { tip: 1 } } }, 'body.args.tip is missing'],
  ['another length', { body: { args: { items: ['a'] } } }, 'body.args.items has another length'],
  ['another status', { status: 404 }, 'status differs'],
  ['an inherited property', { body: { toString: 'x' } }, 'body.toString is missing'],
])('requests.verify names where the nearest request differs: %s', async (_name, expectation, message) => {
  await react({ amount: 5, items: ['a', 'b'] });
  const failure = await failureOf({ operation: 'reactors.react', ...expectation });
  expect(failure).toContain(`POST /reactors/${reactor}/react (200`);
  expect(failure.split('\n').slice(2)).toEqual([`  ${message}`]);
});

test('requests.verify says how many match when it is not the expected number', async () => {
  await react({ amount: 5 });
  const failure = await failureOf({ operation: 'reactors.react', times: 2 });
  expect(failure).toBe('Expected 2 requests of reactors.react, but 1 matches.');
  await expect(tenant.requests.verify({ operation: 'tokens.get' })).rejects.toThrow(VerificationError);
  const sequence = tenant.requests.verify({ operation: 'reactors.react', times: 2, followed_by: [{}] });
  await expect(sequence).rejects.toMatchObject({ problem: { errors: { times: [expect.any(String)] } } });
});

test('requests.verify: no value of a body or query is shown', async () => {
  await react({ number: '4242424242424242', amount: 31337313, '4111 1111 1111 1111': true });
  await tenant.client.request({
    method: 'GET',
    path: '/tokens?metadata.ssn=123-45-6789',
    permission: 'token:read',
  });
  const shown = JSON.stringify([
    await tenant.requests.list(),
    await failureOf({ body: { args: { number: 'x' } } }),
  ]);
  expect(shown).not.toMatch(/4242424242|31337313|4111 1111|45-6789/);
  expect(shown).toContain('"amount":"XXXXXXXX"');
  await tenant.requests.verify({ query: { 'metadata.ssn': '123-45-6789' }, times: 1 });
});

test('requests.verify: a body of more than 64 KB is not kept', async () => {
  const text = 'x'.repeat(70_000);
  await react({ text });
  // Chunked, without a length.
  await fetch(`${emulator.url}/reactors/${reactor}/react`, {
    method: 'POST',
    headers: { 'svc-api-key': tenant.keys.private, 'content-type': 'application/json' },
    body: new Blob([JSON.stringify({ args: { text } })]).stream(),
    duplex: 'half',
  } as RequestInit);
  const requests = (await tenant.requests.list()).slice(-2);
  expect(requests).toMatchObject([{ status: 200 }, { status: 200 }]);
  for (const request of requests) expect(request).not.toHaveProperty('body');
});

test('requests.findUnexpected returns what no verification has matched', async () => {
  await react({ amount: 5 });
  await react({ amount: 6 });
  await tenant.requests.verify({ body: { args: { amount: 5 } } });
  await tenant.requests.verify({ operation: 'reactors.create' });
  const unexpected = await tenant.requests.findUnexpected();
  expect(unexpected.map(({ operation }) => operation)).toEqual(['reactors.react']);
});

test('the journal of a tenant is bounded and not filled by others', async () => {
  const other = await emulator.tenants.create();
  await react({ amount: 5 });
  for (let round = 0; round < 11; round++)
    await Promise.all(Array.from({ length: 100 }, () => other.client.call('permissions.list')));
  await tenant.requests.verify({ operation: 'reactors.react', times: 1 });
  expect(await other.requests.list()).toHaveLength(1_000);
  expect(await emulator.requests.list()).toHaveLength(1_000);
  // Each of the requests is compared with it.
  const body = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`name${index}`, index]));
  await expect(other.requests.verify({ body })).rejects.toMatchObject({ status: 413 });
});

test('a query parameter named __proto__ is shown like any other', async () => {
  const send = (query: string) =>
    tenant.client.request({ method: 'GET', path: `/tokens?${query}`, permission: 'token:read' });
  await expect(send('__proto__=abc&size=5')).rejects.toMatchObject({ status: 400 });
  const request = (await tenant.requests.list()).at(-1);
  expect(JSON.stringify(request?.query)).toBe('{"__proto__":"XXX","size":"5"}');
});

test('a card number in a path is masked in what is kept of the request, and can be verified', async () => {
  await fetch(`${emulator.url}/tokens/4242424242424242`, { headers: { 'SVC-API-KEY': tenant.keys.private } });
  const paths = (await tenant.requests.list()).map(({ path }) => path);
  expect(paths).toContain('/tokens/XXXXXXXXXXXXXXXX');
  expect(JSON.stringify(await tenant.requests.list())).not.toContain('4242424242424242');
  await tenant.requests.verify({ path: '/tokens/4242424242424242', times: 1 });
});
