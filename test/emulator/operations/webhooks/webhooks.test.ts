import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EVENT_TYPES } from '../../../../src/contract/event-types.js';
import { controlOf } from '../../../support/control.js';
import { PATIENCE } from '../../../support/patience.js';
import { TestServer } from '../../../support/test-server.js';

const SECRET = 'data-that-no-event-holds';
const as = 'management';

interface Received {
  headers: IncomingHttpHeaders;
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on it.
  body: any;
}

let dataDir: string;
let server: TestServer;
let receiver: Server;
let url: string;
let status: (received: Received) => number;
let received: Received[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'webhooks-'));
  received = [];
  status = () => 204;
  receiver = createServer(async (request, response) => {
    const raw = await text(request);
    const one = { headers: request.headers, raw, body: JSON.parse(raw) };
    received.push(one);
    response.writeHead(status(one)).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  server = new TestServer({ dataDir });
  await server.start();
});
afterEach(async () => {
  await server.close();
  receiver.closeAllConnections();
  receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function subscribe(...events: string[]): Promise<string> {
  const answer = await server.post('/webhooks', { name: 'shop', url, events }, { as });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

const types = () => received.map(({ body }) => body.event.type);
const arrived = (count: number) => vi.waitFor(() => expect(received).toHaveLength(count), PATIENCE);

describe('events of webhooks', () => {
  test('report the life of a token, without its data, in order', async () => {
    await subscribe('token.created', 'token.updated', 'token.deleted');
    const body = { type: 'token', data: SECRET, metadata: { order: '7' }, mask: '{{ data | last4 }}' };
    const { id } = await server.token(body);
    await server.patch(`/tokens/${id}`, { metadata: { order: '8' } });
    await server.delete(`/tokens/${id}`);
    await arrived(3);
    expect(types()).toEqual(['token.created', 'token.updated', 'token.deleted']);
    const [created, updated, deleted] = received;
    expect(created?.body).toEqual({
      event: {
        id: expect.any(String),
        type: 'token.created',
        timestamp: expect.any(String),
        tenant_id: server.emulator.tenant_id,
        data: {
          token: expect.objectContaining({ id, type: 'token', metadata: { order: '7' } }),
          actor: { id: expect.any(String), type: 'application' },
        },
      },
      delivered_at: expect.any(String),
    });
    expect(updated?.body.event.data.token.metadata).toEqual({ order: '8' });
    expect(deleted?.body.event.data.token).toEqual({ id });
    expect(received.map(({ raw }) => raw).join()).not.toMatch(new RegExp(`${SECRET}|holds|last4`));
  });

  test('report reactors, applications and the tenant, without code, configurations and keys', async () => {
    await subscribe('reactor.created', 'reactor.updated', 'reactor.deleted', 'application.created');
    const reactor = { name: 'r', code: `/* ${SECRET} */`, configuration: { KEY: SECRET } };
    const { id } = (await server.post('/reactors', reactor, { as })).body;
    await server.patch(`/reactors/${id}`, { name: 's' }, { as });
    await server.delete(`/reactors/${id}`, { as });
    const application = { name: 'a', type: 'private', permissions: ['token:read'] };
    const { key } = (await server.post('/applications', application, { as })).body;
    await arrived(4);
    expect(types().sort()).toEqual([
      'application.created',
      'reactor.created',
      'reactor.deleted',
      'reactor.updated',
    ]);
    const all = received.map(({ raw }) => raw).join();
    expect(all).not.toMatch(new RegExp(`${SECRET}|${key}|hash|"code"|configuration`));
  });

  test('a change whose events have no room is refused as a whole', async () => {
    receiver.removeAllListeners('request');
    for (let i = 0; i < 3; i++) await subscribe('token.created');
    const values = Array.from({ length: 6_000 }, (_, i) => `value ${i}`);
    expect((await server.post('/tokenize', values)).status).toBe(200);
    const refused = await server.post('/tokenize', values);
    expect([refused.status, refused.body.detail]).toEqual([507, expect.stringContaining('20000 pending')]);
    expect((await server.get('/tokens?size=1')).body.pagination.total_items).toBe(6_000);
    await controlOf(server).post('/reset');
  });

  test('an expired token is token.expired, a duplicate and a failed request are not events', async () => {
    await subscribe('token.created', 'token.expired');
    const expires_at = new Date(server.emulator.clock.now() + 3_600_000).toISOString();
    const body = { type: 'token', data: 'x', expires_at, deduplicate_token: true };
    await server.token(body);
    await server.post('/tokens', body);
    await server.post('/tokens', { type: 'token', data: null });
    await server.emulator.clock.advance(3_600_000);
    await arrived(2);
    expect(types()).toEqual(['token.created', 'token.expired']);
  });

  test('every type of event is sent', async () => {
    await subscribe(...EVENT_TYPES);
    const expires_at = new Date(server.emulator.clock.now() + 3_600_000).toISOString();
    await server.token({ type: 'token', data: 'x', expires_at });
    const { id } = await server.token({ type: 'token', data: 'x' });
    await server.patch(`/tokens/${id}`, { data: 'y' });
    await server.delete(`/tokens/${id}`);
    const objects = {
      reactors: { name: 'r', code: 'module.exports = async () => ({});', configuration: {} },
      proxies: { name: 'p', destination_url: 'https://destination.example' },
      applications: { name: 'a', type: 'private', permissions: ['token:read'] },
    };
    for (const [collection, object] of Object.entries(objects)) {
      const created = await server.post(`/${collection}`, object, { as });
      await server.put(`/${collection}/${created.body.id}`, { ...object, type: undefined }, { as });
      await server.delete(`/${collection}/${created.body.id}`, { as });
    }
    await server.emulator.clock.advance(3_600_000);
    await server.put('/tenants/self', { name: 't' }, { as });
    await server.delete('/tenants/self', { as });
    await vi.waitFor(() => expect([...new Set(types())].sort()).toEqual([...EVENT_TYPES].sort()), PATIENCE);
  });

  test('the last event of a tenant is that it was deleted', async () => {
    await subscribe('tenant.updated', 'tenant.deleted');
    await server.put('/tenants/self', { name: 'renamed' }, { as });
    await arrived(1);
    await server.delete('/tenants/self', { as });
    await arrived(2);
    expect(types()).toEqual(['tenant.updated', 'tenant.deleted']);
    expect(received[0]?.raw).not.toContain(server.emulator.webhook_secret);
  });

  test('are signed as callbacks are', async () => {
    await subscribe('token.created');
    await server.token({ type: 'token', data: 1 });
    await arrived(1);
    const { headers, raw } = received[0] as Received;
    const [, seconds, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['svc-signature'])) ?? [];
    const hmac = createHmac('sha256', server.emulator.webhook_secret).update(`${seconds}.${raw}`);
    expect(digest).toBe(hmac.digest('hex'));
    expect(headers['svc-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('are delivered again with the same event id until the receiver accepts them, in order', async () => {
    await subscribe('token.created', 'token.updated');
    status = () => (received.length < 3 ? 503 : 204);
    const { id } = await server.token({ type: 'token', data: 1 });
    await server.patch(`/tokens/${id}`, { metadata: { a: 'b' } });
    const other = await server.token({ type: 'token', data: 2 });
    await vi.waitFor(async () => {
      await server.emulator.clock.advance(60_000);
      const [last] = received.filter(({ body }) => body.event.type === 'token.updated').slice(-1);
      expect(last).toBeDefined();
    }, PATIENCE);
    const ofToken = received.filter(({ body }) => body.event.data.token.id === id);
    const inOrder = ofToken.map(({ body }) => body.event.type);
    expect(inOrder.indexOf('token.updated')).toBe(inOrder.lastIndexOf('token.created') + 1);
    const ids = ofToken
      .filter(({ body }) => body.event.type === 'token.created')
      .map((one) => one.body.event.id);
    expect(new Set(ids).size).toBe(1);
    expect(received.some(({ body }) => body.event.data.token.id === other.id)).toBe(true);
  });

  test('survive a restart, in order', async () => {
    await subscribe('token.created', 'token.updated', 'token.deleted');
    server.emulator.clock.freeze();
    status = () => 503;
    const { id } = await server.token({ type: 'token', data: 1 });
    await server.patch(`/tokens/${id}`, { metadata: { a: 'b' } });
    await server.delete(`/tokens/${id}`);
    await vi.waitFor(() => expect(received.length).toBeGreaterThan(0), PATIENCE);
    await server.close();
    received = [];
    status = () => 204;
    server = new TestServer({ dataDir });
    await server.start();
    await server.emulator.clock.advance(3_600_000);
    await arrived(3);
    expect(types()).toEqual(['token.created', 'token.updated', 'token.deleted']);
  });

  test('a deleted webhook gets none of its pending events', async () => {
    const id = await subscribe('token.created');
    server.emulator.clock.freeze();
    status = () => 503;
    await server.token({ type: 'token', data: 1 });
    await arrived(1);
    await server.delete(`/webhooks/${id}`, { as });
    status = () => 204;
    await server.emulator.clock.advance(3_600_000);
    await server.token({ type: 'token', data: 2 });
    const other = await subscribe('token.deleted');
    await server.post(`/webhooks/${other}/ping`, undefined, { as });
    await arrived(2);
    expect(types()).toEqual(['token.created', 'webhook.ping']);
  });

  test('recent events can be delivered again, repeated and shuffled', async () => {
    const control = controlOf(server);
    await subscribe('token.created');
    for (let n = 0; n < 8; n++) await server.token({ type: 'token', data: n });
    await arrived(8);
    const { events } = (await control.get('/webhook-events')).body;
    const first = events.map((event: { id: string }) => event.id);
    received = [];
    const one = await control.post('/webhook-events/resend', { ids: [first[3]] });
    expect(one.body).toEqual({ deliveries: 1 });
    await arrived(1);
    expect(received[0]?.body.event.id).toBe(first[3]);
    expect((await control.post('/webhook-events/resend', { times: 3, shuffle: true })).body).toEqual({
      deliveries: 24,
    });
    await arrived(25);
    const ids = received.slice(1).map(({ body }) => body.event.id);
    expect([...ids].sort()).toEqual([...first, ...first, ...first].sort());
    expect((await control.post('/webhook-events/resend', { ids: ['nothing'] })).status).toBe(404);
  });

  test('that can be delivered again take at most 8 MB together', async () => {
    const control = controlOf(server);
    await subscribe('token.created');
    const metadata = { large: 'x'.repeat(3_000_000) };
    const created: string[] = [];
    for (let i = 0; i < 4; i++)
      created.push((await server.token({ type: 'token', data: SECRET, metadata })).id);
    await arrived(4);
    const { events } = (await control.get('/webhook-events')).body;
    expect(events.map(({ data }: { data: { token: { id: string } } }) => data.token.id)).toEqual(
      created.slice(-2),
    );
  });

  test('a tenant file and a snapshot bring webhooks back', async () => {
    const control = controlOf(server);
    const id = await subscribe('token.created');
    const path = `/tenants/${server.emulator.tenant_id}/file`;
    const file = (await control.get(path)).body;
    await control.post('/snapshots', { name: 'one' });
    for (const restore of [
      () => control.put('/tenants/file', file),
      () => control.post('/snapshots/one/restore'),
    ]) {
      await server.delete(`/webhooks/${id}`, { as });
      expect((await restore()).status).toBe(204);
      const before = received.length;
      await server.token({ type: 'token', data: 1 });
      await arrived(before + 1);
    }
  });

  test('a tenant has at most 20 webhooks, and other tenants get no events of it', async () => {
    for (let n = 0; n < 20; n++) await subscribe('tenant.updated');
    const { status: refused } = await server.post(
      '/webhooks',
      { name: 'x', url, events: ['token.created'] },
      { as },
    );
    expect(refused).toBe(400);
    const { body } = await controlOf(server).post('/tenants', { name: 'other' });
    await server.put('/tenants/self', { name: 'other' }, { key: body.keys.management });
    await server.put('/tenants/self', { name: 'own' }, { as });
    await arrived(20);
    expect(new Set(received.map((one) => one.body.event.tenant_id))).toEqual(
      new Set([server.emulator.tenant_id]),
    );
  });
});
