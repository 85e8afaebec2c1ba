import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { EventStreams } from '../../../emulator/control/event-stream.js';
import { RequestRecords } from '../../../emulator/services/request-record/request-records.js';
import { stats } from '../../../src/contract/control/status.js';
import { sendRequest } from '../../support/http-request.js';
import { controlOf, useServer } from '../../support/test-server.js';

const server = useServer();
const control = controlOf(server);
const as = 'management';

describe('cli.md, control endpoints', () => {
  test('health and ready are open', async () => {
    expect((await server.get('/_emulator/health', { key: null })).body).toEqual({
      status: 'ok',
      version: expect.any(String),
      uptime_ms: expect.any(Number),
      rate_limit: false,
      store: { kind: 'memory', state: 'ok' },
    });
    expect((await server.get('/_emulator/ready', { key: null })).body).toEqual({ status: 'ready' });
  });

  const GUARDED =
    'clock faults requests stats metrics events tenants snapshots overview traces/x tenants/a/clock nothing';
  test.each(GUARDED.split(' '))('/%s needs the token', async (path) => {
    const url = `/_emulator/${path}`;
    expect((await server.get(url, { key: null })).status).toBe(401);
    const headers = { authorization: 'Bearer control_wrong' };
    expect((await server.get(url, { key: server.emulator.keys.management, headers })).status).toBe(401);
  });

  test('an unknown control endpoint is 404', async () => {
    expect((await control.get('/nothing')).status).toBe(404);
  });

  test.each([
    ['/clock', 'GET, PUT'],
    ['/health', 'GET'],
    ['/ui', 'GET'],
    ['/tenants/a/clock', 'GET, PUT'],
  ])('a method that %s does not offer is 405 with Allow', async (path, allow) => {
    const { status, headers } = await control.delete(path);
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe(allow);
  });
});

test.each([
  {},
  { now: 'yesterday' },
  { advance: 'much' },
  { frozen: 'yes' },
  { now: '2035-01-01', frozen: true },
])('clock: %j is 400', async (body) => {
  expect((await control.put('/clock', body)).status).toBe(400);
});

const preflight = (origin: string) =>
  sendRequest(server.emulator.url, 'OPTIONS', '/tokens', {
    origin,
    'access-control-request-method': 'POST',
  });

test('an origin can be allowed while the emulator runs, and removed', async () => {
  const origin = 'https://shop.example';
  expect((await preflight(origin)).status).toBe(403);
  expect((await control.post('/origins', { origin })).body).toEqual({ origins: [origin] });
  expect((await control.get('/origins')).body).toEqual({ origins: [origin] });
  expect((await preflight(origin)).status).toBe(204);
  const query = `origin=${encodeURIComponent(origin)}`;
  expect((await control.delete(`/origins?${query}`)).status).toBe(204);
  expect((await control.delete(`/origins?${query}`)).status).toBe(404);
  expect((await preflight(origin)).status).toBe(403);
});

test.each([
  '',
  ...'* https://* https://localhost:* http://*:8080 shop.example https://shop.example/x'.split(' '),
])('origins: %j is not an origin that can be allowed', async (origin) => {
  const { status, body } = await control.post('/origins', { origin });
  expect([status, Object.keys(body.errors)]).toEqual([400, ['origin']]);
  expect((await control.get('/origins')).body).toEqual({ origins: [] });
});

test('a fault answers a number of requests of one operation with a status and Retry-After', async () => {
  const fault = { operation: 'tokens.list', status: 503, retry_after: 7, times: 2 };
  const added = await control.post('/faults', fault);
  expect(added.status).toBe(201);
  expect((await control.get('/faults')).body.faults).toEqual([added.body]);
  expect((await server.get('/applications', { as })).status).toBe(200);
  const struck = await server.get('/tokens');
  expect([struck.status, struck.headers.get('retry-after')]).toEqual([503, '7']);
  expect((await server.get('/tokens')).status).toBe(503);
  expect((await server.get('/tokens')).status).toBe(200);
  expect((await control.get('/faults')).body.faults).toEqual([]);
});

test('a request with an injected status has no effect', async () => {
  await control.post('/faults', { method: 'POST', path: '/tok', status: 500, times: 1 });
  const before = (await server.get('/tokens')).body.pagination.total_items;
  expect((await server.post('/tokens', { type: 'token', data: 'x' })).status).toBe(500);
  expect((await server.get('/tokens')).body.pagination.total_items).toBe(before);
});

test('a fault can delay the response', async () => {
  await control.post('/faults', { latency_ms: 60, times: 1 });
  const begin = performance.now();
  expect((await server.get('/tokens')).status).toBe(200);
  expect(performance.now() - begin).toBeGreaterThan(55);
});

test('a fault can reset the connection', async () => {
  await control.post('/faults', { reset: true, times: 1 });
  await expect(server.get('/tokens')).rejects.toThrow('fetch failed');
  expect((await server.get('/tokens')).status).toBe(200);
});

test.each([
  {},
  { status: 200 },
  { operation: 'tokens.burn', status: 500 },
  { latency_ms: -1 },
  { status: 500, rate: 2 },
])('faults: %j is 400', async (body) => {
  expect((await control.post('/faults', body)).status).toBe(400);
});

test('there are at most 100 faults, each with a path of at most 2,048 characters', async () => {
  const add = () => control.post('/faults', { method: 'DELETE', status: 500 });
  for (let i = 0; i < 100; i++) expect((await add()).status).toBe(201);
  expect(await add()).toMatchObject({ status: 400, body: { errors: { faults: [expect.any(String)] } } });
  await control.delete('/faults');
  const long = { path: `/${'x'.repeat(2_048)}`, status: 500 };
  expect(await control.post('/faults', long)).toMatchObject({
    status: 400,
    body: { errors: { path: [expect.any(String)] } },
  });
});

test('faults do not apply to the control endpoints', async () => {
  await control.post('/faults', { status: 500 });
  expect((await control.get('/clock')).status).toBe(200);
  await control.delete('/faults');
});

describe('requests and events', () => {
  const logged = async (traceId: string) =>
    (await control.get(`/requests?trace_id=${encodeURIComponent(traceId)}`)).body.requests[0];

  test('the log has each request of the service, with masked query and body, and headers without keys', async () => {
    await server.post(
      '/tokens',
      { type: 'token', data: 'secret-data' },
      { headers: { 'SVC-TRACE-ID': 'seen', cookie: 'secret', 'x-card': 'secret', 'user-agent': 'shop/1' } },
    );
    await server.get('/tokens?metadata.ssn=secret-query');
    expect(await logged('seen')).toEqual({
      kind: 'request',
      time: expect.any(String),
      trace_id: 'seen',
      method: 'POST',
      path: '/tokens',
      operation: 'tokens.create',
      status: 201,
      duration_ms: expect.any(Number),
      tenant_id: server.emulator.tenant_id,
      application_id: expect.any(String),
      application_name: 'private',
      transform: 'mask',
      headers: expect.objectContaining({ 'content-type': 'application/json', 'user-agent': 'shop/1' }),
      body: { type: 'token', data: 'XXXXXXXXXXX' },
      response: expect.objectContaining({ type: 'token', containers: ['/general/high/'] }),
    });
    expect(JSON.stringify((await control.get('/requests')).body)).not.toMatch(/secret|key_/);
  });

  test('the log has requests whose path cannot be decoded', async () => {
    const headers = { 'SVC-API-KEY': server.emulator.keys.private, 'SVC-TRACE-ID': 'undecodable' };
    await sendRequest(server.emulator.url, 'GET', '/tokens/%zz?metadata.ssn=secret', headers);
    const request = await logged('undecodable');
    expect(request).toMatchObject({ path: '/tokens/%zz', status: 400, application_name: 'private' });
    expect(JSON.stringify(request)).not.toContain('secret');
  });

  test('events arrive as they happen, and the stream ends when the client disconnects', async () => {
    const abort = new AbortController();
    const response = await fetch(`${server.emulator.url}/_emulator/events?recent=1`, {
      headers: { authorization: `Bearer ${server.emulator.controlToken}` },
      signal: abort.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await server.get('/permissions', { headers: { 'SVC-TRACE-ID': 'streamed' } });
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('streamed')) break;
    }
    expect(text).toContain('event: request\ndata: {');
    abort.abort();
  });
});

test('stats counts requests of the service by outcome and latency, and measures the store', async () => {
  const before = (await control.get('/stats')).body;
  await server.token({ type: 'token', data: 'x' });
  await server.get('/tokens/missing');
  await control.get('/requests');
  const { body } = await control.get('/stats');
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  expect(body.requests).toEqual({
    total: before.requests.total + 2,
    client_errors: before.requests.client_errors + 1,
    server_errors: before.requests.server_errors,
  });
  expect(sum(body.latency.counts)).toBe(body.requests.total);
  expect(body.latency.counts).toHaveLength(body.latency.bounds_ms.length + 1);
  expect(body.store.tokens).toBe(before.store.tokens + 1);
  expect(body.reactors).toEqual({
    running: 0,
    queued: 0,
    idle: expect.any(Number),
    memory_bytes: expect.any(Number),
  });
  expect(body.large_requests).toEqual({
    ...{ held_bytes: 0, waiting: 0, holders: [] },
    capacity_bytes: expect.any(Number),
  });
  expect(stats.parse(body)).toEqual(body);
});

test('reset deletes all data and keeps the tenant and its keys', async () => {
  const { keys, tenant_id } = server.emulator;
  const headers = { 'SVC-IDEMPOTENCY-KEY': 'before-reset' };
  const token = { type: 'token', data: 'x' };
  const { id } = (await server.post('/tokens', token, { headers })).body;
  await server.put('/tenants/self', { name: 'Changed', settings: { deduplicate_tokens: 'true' } }, { as });
  const application = { name: 'shop', type: 'private', permissions: ['token:read'] };
  const { key } = (await server.post('/applications', application, { as })).body;
  await control.post('/faults', { status: 500 });
  await control.put('/clock', { advance: '2d' });

  expect((await control.post('/reset')).status).toBe(204);

  expect((await server.get('/tokens', { key: keys.private })).body.pagination.total_items).toBe(0);
  const tenant = (await server.get('/tenants/self', { key: keys.management })).body;
  expect(tenant).toMatchObject({ id: tenant_id, settings: { deduplicate_tokens: 'false' } });
  expect(tenant.name).not.toBe('Changed');
  expect((await server.get('/tokens', { key })).status).toBe(401);
  expect((await control.get('/faults')).body.faults).toEqual([]);
  expect((await server.post('/tokens', token, { headers })).body.id).not.toBe(id);
  expect((await control.get('/tenants')).body.tenants).toHaveLength(1);
  expect(Math.abs((await control.get('/clock')).body.offset_ms)).toBeLessThan(1_000);
});

test('events after the end of a stream are not written to it', async () => {
  const records = new RequestRecords();
  const app = Fastify();
  const streams = new EventStreams(records);
  const errors: unknown[] = [];
  app.get('/', (_request, reply) => {
    reply.raw.on('error', (error) => errors.push(error));
    streams.open(reply, 0);
  });
  const response = await fetch(await app.listen({ port: 0 }));
  records.add({ kind: 'reset', time: 'before' });
  streams.endAll();
  records.add({ kind: 'reset', time: 'after' });
  const text = await response.text();
  await app.close();
  expect(text).toContain('before');
  expect(text).not.toContain('after');
  expect(errors).toEqual([]);
});
