import { expect, test } from 'vitest';
import {
  checkRequest,
  cutHeaders,
  findSvcFault,
  MessageLimits,
} from '../../../../emulator/sandbox/host/message-limits.js';
import { DEFAULT_LIMITS } from '../../../../emulator/sandbox/limits.js';

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
