import { describe, expect, test } from 'vitest';
import { cutHeaders, findSvcFault, MessageLimits } from '../../../../emulator/sandbox/host/message-limits.js';
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

describe('reports of outbound requests', () => {
  test('every text of a report is cut', () => {
    const report = new MessageLimits(DEFAULT_LIMITS).report(REPORT);
    expect(report?.method).toHaveLength(64);
    expect(report?.url).toHaveLength(8_192);
    expect(report?.error).toHaveLength(8_192);
    expect(report?.requestBody).toHaveLength(8_192);
    expect(report?.responseBody).toHaveLength(8_192);
    expect(report?.requestHeaders['x-long']).toHaveLength(8_192);
    expect(report?.responseHeaders['x-long']).toHaveLength(8_192);
  });

  test('a header whose name is too long is dropped', () => {
    const report = new MessageLimits(DEFAULT_LIMITS).report(REPORT);
    expect(Object.keys(report?.responseHeaders ?? {})).toEqual(['x-long']);
    expect(cutHeaders({ ['n'.repeat(257)]: '1', ['n'.repeat(256)]: '2' }, DEFAULT_LIMITS)).toEqual({
      ['n'.repeat(256)]: '2',
    });
  });

  test('no more requests are reported than an invocation may send', () => {
    const limits = new MessageLimits({ ...DEFAULT_LIMITS, fetches: 3 });
    const reports = Array.from({ length: 5 }, () => limits.report(REPORT));
    expect(reports.map(Boolean)).toEqual([true, true, true, false, false]);
  });
});

describe('console entries', () => {
  test('a long entry is truncated', () => {
    const entry = new MessageLimits(DEFAULT_LIMITS).consoleEntry({ level: 'log', message: LONG });
    expect(entry?.message).toBe(`${'x'.repeat(8_192)}… (truncated)`);
  });

  test('after too many entries there is one notice', () => {
    const limits = new MessageLimits({ ...DEFAULT_LIMITS, consoleEntries: 2 });
    const entries = Array.from({ length: 5 }, () => limits.consoleEntry({ level: 'log', message: 'hi' }));
    expect(entries.map((entry) => entry?.message)).toEqual([
      'hi',
      'hi',
      'Further console output of this invocation was dropped (limit: 2 entries).',
      undefined,
      undefined,
    ]);
  });
});

test('a svc method with a long name stays in the worker', () => {
  expect(findSvcFault('m'.repeat(65), '[]', DEFAULT_LIMITS)).toEqual({ message: 'svc has no such method.' });
  expect(findSvcFault('m'.repeat(64), '[]', DEFAULT_LIMITS)).toBeUndefined();
});
