import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { RateLimiter } from '../../../emulator/services/rate-limiter.js';
import { RATE_LIMITS, type RateScope } from '../../../src/contract/limits.js';
import type { Answer } from '../../support/call.js';
import { type TestServer, useServer } from '../../support/test-server.js';

const SECOND = 1_000;

/** Sends this many requests, some at a time, and gives the last answer. */
async function repeat(times: number, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let left = times; left > 0; left -= 50) {
    answers.push(...(await Promise.all(Array.from({ length: Math.min(50, left) }, send))));
  }
  return answers;
}

const controls = (server: TestServer) => ({
  key: null,
  headers: { authorization: `Bearer ${server.emulator.controlToken}` },
});

/** A request of each scope, cheap and accepted. */
const REQUESTS: Record<RateScope, (server: TestServer) => Promise<Answer>> = {
  global: (server) => server.get('/permissions'),
  portal: (server) => server.get('/_emulator/clock', controls(server)),
  'tokens.search': (server) => server.post('/tokens/search', { size: 1 }),
  'tokens.list': (server) => server.get('/tokens?size=1'),
  'tokens.create': (server) => server.post('/tokenize', 'x'),
};

/** A limiter on a clock that stands, so that no slow machine lets a window pass. */
function limiterAt(start: number) {
  const time = { now: start };
  const clock = { realNow: () => time.now, now: () => time.now, timestamp: () => '', every, at: every };
  return { time, limiter: new RateLimiter(clock, 1) };
}
const every = () => () => {};

describe('spec, Limits: each row of the table', () => {
  const rows: [RateScope, number][] = [
    ['global', 1_000],
    ['portal', 600],
    ['tokens.search', 50],
    ['tokens.list', 100],
    ['tokens.create', 200],
  ];

  test.each(rows)('%s: %i requests in 10 seconds, then blocked for 10', (scope, requests) => {
    const { time, limiter } = limiterAt(0);
    const count = () => limiter.count('127.0.0.1', [scope]);
    for (let i = 0; i < requests; i++) count();
    time.now = 9_999;
    expect(count).toThrow(expect.objectContaining({ status: 429, headers: { 'Retry-After': '10' } }));
    time.now = 19_998;
    expect(count).toThrow(expect.objectContaining({ headers: { 'Retry-After': '1' } }));
    time.now = 19_999;
    for (let i = 0; i < requests; i++) count();
    expect(count).toThrow();
  });

  test('the counter is the client IP address', () => {
    const { limiter } = limiterAt(0);
    for (let i = 0; i < 50; i++) limiter.count('10.0.0.1', ['tokens.search']);
    expect(() => limiter.count('10.0.0.1', ['tokens.search'])).toThrow();
    limiter.count('10.0.0.2', ['tokens.search']);
  });

  test('setting the clock back does not keep a client blocked', () => {
    const { time, limiter } = limiterAt(1_000_000);
    for (let i = 0; i < 50; i++) limiter.count('10.0.0.1', ['tokens.search']);
    time.now = 0;
    limiter.count('10.0.0.1', ['tokens.search']);
  });
});

/** A tenth of each limit, for fewer requests. */
const SCALE = 0.1;

describe('rate limits over HTTP, with --rate-limit-scale 0.1', () => {
  // Time passes by the emulator's clock alone, so that no slow machine lets a window pass.
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterAll(() => void vi.useRealTimers());
  const server = useServer({ rateLimit: true, rateLimitScale: SCALE });
  beforeEach(() => server.emulator.clock.advance(20 * SECOND));

  test.each(Object.entries(REQUESTS))('%s', async (scope, send) => {
    const answers = await repeat(RATE_LIMITS[scope as RateScope].requests * SCALE, () => send(server));
    expect(answers.filter(({ status }) => status === 429)).toEqual([]);
    const over = await send(server);
    expect(over.status).toBe(429);
    expect(over.body.title).toBe('Too Many Requests');
    expect(over.headers.get('retry-after')).toBe('10');
  });

  test('POST /tokens and POST /tokenize share one count', async () => {
    await repeat(10, () => server.post('/tokenize', 'x'));
    await repeat(10, () => server.post('/tokens', { type: 'token', data: 'x' }));
    expect((await server.post('/tokens', { type: 'token', data: 'x' })).status).toBe(429);
  });

  test('a blocked scope does not affect other scopes', async () => {
    await repeat(6, () => REQUESTS['tokens.search'](server));
    expect((await server.get('/tokens')).status).toBe(200);
  });

  test('rate limits are checked before the key: requests with a wrong key count and are limited', async () => {
    await repeat(100, () => server.get('/permissions', { key: 'key_wrong' }));
    expect((await server.get('/permissions', { key: 'key_wrong' })).status).toBe(429);
  });

  test('health and ready do not count', async () => {
    await repeat(101, () => server.get('/permissions'));
    expect((await server.get('/_emulator/health', { key: null })).status).toBe(200);
    expect((await server.get('/_emulator/ready', { key: null })).status).toBe(200);
  });
});
