import { expect, it, test } from 'vitest';
import { readEvents } from '../../src/client/control.js';
import { ConnectionError, ServiceError } from '../../src/client/errors.js';
import { buildRequest } from '../../src/client/request.js';
import { isRetryable, parseRetryAfter, RetryBudget, retryDelay } from '../../src/client/retry.js';
import { buildQuery, PathParameterError } from '../../src/contract/operation-row.js';
import { operationRow } from '../../src/contract/operations.js';
import { startStub } from '../support/http-server.js';

const serviceError = (status: number, title = 'Title', errors?: Record<string, string[]>) =>
  new ServiceError(status, { title, ...(errors && { errors }) }, undefined);
const connectionError = (code: string) => new ConnectionError('http://service', code, undefined);

const now = Date.UTC(2030, 0, 1);

test.each([
  ['0', 0],
  ['7', 7],
  ['Tue, 01 Jan 2030 00:00:10 GMT', 10],
  ['Tue, 01 Jan 2030 00:00:00 GMT', 0],
  ['Mon, 31 Dec 2029 23:59:00 GMT', 0],
  ['', undefined],
  [undefined, undefined],
  ['soon', undefined],
  ['-1 second', undefined],
])('parseRetryAfter: %s is %s seconds', (value, seconds) =>
  expect(parseRetryAfter(value, now)).toBe(seconds),
);

it('parseRetryAfter rounds a fraction of a second up', () =>
  expect(parseRetryAfter('Tue, 01 Jan 2030 00:00:01 GMT', now + 1)).toBe(1));

it('retryDelay doubles the upper bound of the backoff up to 8 seconds', () => {
  const longest = [0, 1, 2, 3, 4, 5, 6, 20].map((attempt) => retryDelay(attempt, undefined, () => 1));
  expect(longest).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
});

it('retryDelay waits at least half of the bound', () =>
  expect(retryDelay(3, undefined, () => 0)).toBe(1_000));

it('retryDelay honours Retry-After up to one minute, with up to 250 ms of jitter', () => {
  expect(retryDelay(0, 2, () => 0)).toBe(2_000);
  expect(retryDelay(0, 2, () => 1)).toBe(2_250);
  expect(retryDelay(5, 0, () => 0)).toBe(0);
  expect(retryDelay(0, 3_600, () => 0)).toBe(60_000);
});

test.each([408, 429, 500, 502, 503, 504, 507])('isRetryable: a %i is retried', (status) =>
  expect(isRetryable(serviceError(status))).toBe(true),
);

test.each([400, 401, 403, 404, 405, 409, 413, 415, 422])('isRetryable: a %i is not retried', (status) =>
  expect(isRetryable(serviceError(status))).toBe(false),
);

test.each([
  ['ECONNRESET', true],
  ['EPIPE', true],
  ['UND_ERR_SOCKET', true],
  ['ECONNREFUSED', false],
  ['ENOTFOUND', false],
])('isRetryable: %s: %s', (code, retried) => expect(isRetryable(connectionError(code))).toBe(retried));

const takeAll = (budget: RetryBudget, errors: ServiceError[]) =>
  errors.map((error) => budget.take(error) !== undefined);

it('RetryBudget allows as many retries as its limit', () => {
  const budget = new RetryBudget({ retries: 2 }, () => 0);
  expect(takeAll(budget, [serviceError(503), serviceError(429), serviceError(503)])).toEqual([
    true,
    true,
    false,
  ]);
  expect(budget.used).toBe(2);
});

test.each([
  ['http://127.0.0.1:9', 'ECONNREFUSED', '', 'Nothing listens on 127.0.0.1:9 (connection refused).'],
  ['https://no-such.example', 'ENOTFOUND', '', 'The name no-such.example does not exist (DNS).'],
  [
    'https://127.0.0.1:8787',
    'EPROTO',
    'SSL routines:ssl3_get_record:wrong version number',
    '127.0.0.1:8787 answers plain http, not https. Use http://127.0.0.1:8787',
  ],
  ['https://h', 'ESOMETHING', '', 'https://h cannot be reached: ESOMETHING.'],
])('an error of the connection to %s says in words what %s means', (url, code, message, text) => {
  expect(new ConnectionError(url, code, new Error(message)).message).toBe(text);
});

test('of a proxy in between, the code is all that is known', () => {
  expect(new ConnectionError('https://h', 'ECONNREFUSED', undefined, 'proxy:3128').message).toBe(
    'https://h cannot be reached through the proxy proxy:3128: ECONNREFUSED.',
  );
});

const EVENT = { kind: 'reset', time: '2024-01-01T00:00:00Z' };

/** Reads the recent events of a server that sends this stream. */
async function read(body: string) {
  const stub = await startStub({ headers: { 'content-type': 'text/event-stream' }, body });
  const address = { base_url: stub.url, control_token: 'control' };
  const events: unknown[] = [];
  const { signal } = new AbortController();
  for await (const event of readEvents(address, { recent: 1, follow: false }, signal)) events.push(event);
  return events;
}

test('an event may contain separators of lines that are not those of a stream', async () => {
  const event = { ...EVENT, message: 'one\u2028two\u2029three\u0085four' };
  expect(await read(`event: reset\ndata: ${JSON.stringify(event)}\n\n: live\n\n`)).toEqual([event]);
});

test.each([
  ['is not JSON', 'data: {\n\n'],
  ['is not an object', 'data: null\n\n'],
  ['has no kind', 'data: {"time":"now"}\n\n'],
  ['has a time that is not text', 'data: {"kind":"reset","time":1}\n\n'],
  ['never ends', `data: ${'a'.repeat(2_000_000)}`],
])('an event that %s is an error of the service', async (_what, stream) => {
  await expect(read(stream)).rejects.toMatchObject({ name: 'ProtocolError' });
});

test('a query without values is empty, and one that is undefined is left out', () => {
  expect([undefined, { page: undefined }, { page: undefined, size: 5 }].map(buildQuery)).toEqual([
    '',
    '',
    '?size=5',
  ]);
});

test.each([
  ['', 'The id must not be empty.'],
  ['..', 'The id must not be "..".'],
  ['a\ud800', 'The id must be valid Unicode; it contains half of a surrogate pair.'],
])('the path parameter %j is rejected by name', (id, message) => {
  const build = () => buildRequest(operationRow('tokens.get'), { path: { id } });
  expect(build).toThrow(new PathParameterError(message));
});
