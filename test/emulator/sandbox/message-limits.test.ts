import { expect, test } from 'vitest';
import {
  checkRequest,
  cutHeaders,
  findSvcFault,
  MessageLimits,
} from '../../../emulator/sandbox/host/message-limits.js';
import type { ConsoleEntry, OutboundRequest } from '../../../emulator/sandbox/invocation.js';
import { DEFAULT_LIMITS } from '../../../emulator/sandbox/limits.js';
import { asReactor, run, testSandbox } from '../../support/sandbox.js';
import { width } from '../../support/width.js';

const sandbox = testSandbox();
const nodeSandbox = testSandbox({ runtime: 'node' });
const BASE = 'http://127.0.0.1:1/';
/** As many requests of one invocation at a time. */
const REQUESTS = width(5, 25);

async function receive(code: string, on = sandbox) {
  const requests: OutboundRequest[] = [];
  const log: ConsoleEntry[] = [];
  const calls: [string, unknown][] = [];
  const outcome = await run(on, asReactor(code), {
    onRequest: (request) => requests.push(request),
    console: (entry) => log.push(entry),
    svc: async (method, params) => calls.push([method, params]),
  });
  return { outcome, requests, log, calls };
}

const settle = (init: string, url = JSON.stringify(BASE)) =>
  `const all = await Promise.allSettled(Array.from({ length: ${REQUESTS} }, () => fetch(${url}, ${init})));
   return all.map((one) => one.reason.cause?.message ?? one.reason.message);`;

test.each([
  ['methods', `{ method: 'M'.repeat(8e6) }`, undefined, 'method is longer than 64 characters'],
  ['URLs', '{}', `${JSON.stringify(BASE)} + 'x'.repeat(1e5)`, 'URL is longer than 16384 characters'],
  ['headers', `{ headers: { a: 'x'.repeat(1e5) } }`, undefined, 'headers is longer than 65536 characters'],
  [
    'numbers of headers',
    '{ headers: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => ["h" + i, "x"])) }',
    undefined,
    'more than 100 headers',
  ],
])('requests with huge %s are refused in the worker', async (_what, init, url, message) => {
  const { outcome, requests } = await receive(settle(init, url));
  expect(outcome).toMatchObject({ value: Array(REQUESTS).fill(expect.stringContaining(message)) });
  expect(requests).toEqual([]);
});

test('requests with huge methods are refused in the worker, also when the code has tampered with the prelude', async () => {
  const tamper = `const real = JSON.stringify; const method = '"' + 'M'.repeat(1e6) + '"';
    JSON.stringify = (value) => real(value).replace('"GET"', () => method);`;
  const { outcome, requests } = await receive(tamper + settle('{}'));
  const message = 'The request method is longer than 64 characters.';
  expect(outcome).toMatchObject({ value: Array(REQUESTS).fill(message) });
  expect(requests).toEqual([]);
});

test('a request whose method or URL is not a string is refused', async () => {
  const { outcome, requests } = await receive(
    `const real = JSON.stringify;
     JSON.stringify = (value) => real(value).replace('"GET"', () => real({ text: 'x'.repeat(1e6) }));
     return fetch('${BASE}').catch((error) => error.cause.message);`,
  );
  expect(outcome).toMatchObject({ value: 'The request is not valid.' });
  expect(requests).toEqual([]);
});

test('reports of requests are bounded in total; all requests are reported', async () => {
  const { requests } = await receive(
    `await Promise.allSettled(Array.from({ length: 100 }, (_, i) =>
       fetch('${BASE}' + 'x'.repeat(16000), { headers: { a: 'x'.repeat(6e4) } })));`,
  );
  expect(requests).toHaveLength(100);
  expect(JSON.stringify(requests).length).toBeLessThan(DEFAULT_LIMITS.reportsLength * 1.2);
});

test.each([
  ['quickjs', sandbox],
  ['node', nodeSandbox],
])('console entries are bounded in total, runtime %s', async (_runtime, on) => {
  const { log } = await receive(`for (let i = 0; i < 900; i++) console.log('x'.repeat(9000)); return 1;`, on);
  const length = log.reduce((sum, { message }) => sum + message.length, 0);
  expect(length).toBeLessThan(DEFAULT_LIMITS.consoleLength * 1.1);
  expect(log.at(-1)?.message).toBe(
    'Further console output of this invocation was dropped (limit: 1000000 characters).',
  );
});

test.each([
  ['quickjs', sandbox],
  ['node', nodeSandbox],
])('svc calls that are too large stay in the worker, runtime %s', async (_runtime, on) => {
  const { outcome, calls } = await receive(
    `let deep = 1; for (let i = 0; i < 3000; i++) deep = [deep];
     const many = Array.from({ length: 100000 }, () => []);
     const status = (call) => call.then(() => 200, (error) => error.status);
     return [await status(req.svc.tokenize('x'.repeat(6e6))), await status(req.svc.tokenize(deep)), await status(req.svc.tokenize([many])), await status(req.svc.tokenize(1))];`,
    on,
  );
  expect(outcome).toMatchObject({ value: [413, 400, 400, 200] });
  expect(calls).toEqual([['tokenize', [1]]]);
});

test('headers of a thrown response are bounded in number and length', async () => {
  const { outcome } = await receive(
    `const { CustomHttpResponseError } = require('svc-reactor-errors');
     const headers = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => ['h' + i, 'x'.repeat(100)]));
     throw new CustomHttpResponseError({ status: 200, headers: { ['n'.repeat(1000)]: 'x', v: 'x'.repeat(1e5), ...headers } });`,
  );
  const { headers = {} } = outcome.kind === 'threw' ? outcome.error : {};
  expect(Object.keys(headers)).toHaveLength(DEFAULT_LIMITS.fetchHeaders);
  expect(headers.v).toHaveLength(DEFAULT_LIMITS.reportedTextLength);
});

const LONG = 'x'.repeat(20_000);
const REPORT = {
  method: LONG,
  url: `http://127.0.0.1/${LONG}`,
  error: LONG,
  durationMs: 1,
  requestHeaders: { 'x-long': LONG },
  responseHeaders: { [LONG]: 'name', 'x-long': LONG },
  requestBody: LONG,
  responseBody: LONG,
};

test('every text of a report of an outbound request is cut, and a header of a long name is dropped', () => {
  const cut = 'x'.repeat(8_192);
  expect(new MessageLimits(DEFAULT_LIMITS).report(REPORT)).toEqual({
    method: 'x'.repeat(64),
    url: REPORT.url.slice(0, 8_192),
    error: cut,
    durationMs: 1,
    requestHeaders: { 'x-long': cut },
    responseHeaders: { 'x-long': cut },
    requestBody: cut,
    responseBody: cut,
  });
  const names = Object.keys(cutHeaders({ ['n'.repeat(257)]: '1', ['n'.repeat(256)]: '2' }, DEFAULT_LIMITS));
  expect(names).toEqual(['n'.repeat(256)]);
});

test('no more requests are reported than an invocation may send', () => {
  const limits = new MessageLimits({ ...DEFAULT_LIMITS, fetches: 3 });
  const reports = Array.from({ length: 5 }, () => limits.report(REPORT));
  expect(reports.map(Boolean)).toEqual([true, true, true, false, false]);
});

test('a long console entry is cut, and after too many there is one notice', () => {
  const limits = new MessageLimits({ ...DEFAULT_LIMITS, consoleEntries: 2 });
  const messages = [LONG, 'hi', 'hi', 'hi', 'hi'].map(
    (message) => limits.consoleEntry({ level: 'log', message })?.message,
  );
  expect(messages).toEqual([
    `${'x'.repeat(8_192)}… (truncated)`,
    'hi',
    'Further console output of this invocation was dropped (limit: 2 entries).',
    undefined,
    undefined,
  ]);
});

test('a svc method with a long name stays in the worker', () => {
  expect(findSvcFault('m'.repeat(65), '[]', DEFAULT_LIMITS)).toEqual({ message: 'svc has no such method.' });
  expect(findSvcFault('m'.repeat(64), '[]', DEFAULT_LIMITS)).toBeUndefined();
});

test('a request to a host that is too long is refused, whether or not the prelude parsed the URL', () => {
  const check = (url: string) => () =>
    checkRequest({ method: 'GET', url, headers: [], redirect: 'follow', body: undefined }, DEFAULT_LIMITS);
  expect(check('http://localhost/')).not.toThrow();
  expect(check(`http://${'a'.repeat(600)}/`)).toThrow('Invalid URL');
});
