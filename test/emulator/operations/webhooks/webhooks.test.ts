import { constants, verify } from 'node:crypto';
import { stringify } from 'safe-stable-stringify';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { EVENT_TYPES, eventObject, REPORTED_TYPES } from '../../../../src/contract/event-types.js';
import { isSigned } from '../../../../src/testing/index.js';
import { scratchDir } from '../../../support/executable.js';
import { useReceiver } from '../../../support/http-server.js';
import { PATIENCE } from '../../../support/patience.js';
import { controlOf, useServer } from '../../../support/test-server.js';

const SECRET = 'data-that-no-event-holds';
/** Types that are not about an object of the service as it is written. */
const NO_CHANGE = /reactor\.(invoked|completed|failed)|proxy\.invoked|session\.|property|token\.read/;
const as = 'management';

const server = useServer({ dataDir: scratchDir() });
const control = controlOf(server);
const receiver = useReceiver();
beforeEach(async () => {
  await control.post('/reset');
  // Deliveries of the test before may have arrived until now.
  receiver.received = [];
});

async function deleteTenant(): Promise<void> {
  onTestFinished(() => server.restart());
  await server.delete('/tenants/self', { as });
}

async function changeKeys(application: string): Promise<void> {
  const { id } = (await server.call('POST', `/applications/${application}/keys`, { as })).body;
  await server.delete(`/applications/${application}/keys/${id}`, { as });
}

async function subscribe(...events: string[]): Promise<string> {
  const answer = await server.post('/webhooks', { name: 'shop', url: receiver.url, events }, { as });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

const types = () => receiver.bodies().map(({ event }) => event.type);
const arrived = (count: number) => receiver.arrived(count);
const texts = () => receiver.received.map(({ body }) => body).join();

describe('events of webhooks', () => {
  test('report the life of a token, without its data, in order', async () => {
    await subscribe('token.created', 'token.updated', 'token.deleted');
    const body = { type: 'token', data: SECRET, metadata: { order: '7' }, mask: '{{ data | last4 }}' };
    const { id } = await server.token(body);
    await server.patch(`/tokens/${id}`, { metadata: { order: '8' } });
    await server.delete(`/tokens/${id}`);
    await arrived(3);
    expect(types()).toEqual(['token.created', 'token.updated', 'token.deleted']);
    const [created, updated, deleted] = receiver.bodies();
    expect(created).toEqual({
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
    expect(updated.event.data.token.metadata).toEqual({ order: '8' });
    expect(deleted.event.data.token).toEqual({ id });
    expect(texts()).not.toMatch(new RegExp(`${SECRET}|holds|last4`));
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
    expect(texts()).not.toMatch(new RegExp(`${SECRET}|${key}|hash|"code"|configuration`));
  });

  test('report invocations, sessions and a cvc that has expired', async () => {
    const wanted = REPORTED_TYPES.filter((type) => NO_CHANGE.test(type));
    await subscribe(...wanted);
    const code = 'module.exports = async ({ args }) => { if (args.fails) throw Error("no"); return {}; };';
    const { id } = (await server.post('/reactors', { name: 'r', code, configuration: {} }, { as })).body;
    await server.post(`/reactors/${id}/react`, { args: { secret: SECRET } });
    await server.post(`/reactors/${id}/react`, { args: { fails: true } });
    const { asyncReactorRequestId } = (await server.post(`/reactors/${id}/react-async`, {})).body;
    await arrived(6);
    const [invoked, completed, failed] = ['invoked', 'completed', 'failed'].map((verb) => `reactor.${verb}`);
    expect(types().slice(0, 4)).toEqual([invoked, completed, invoked, failed]);
    const { reactor, request } = receiver.bodies()[5].event.data;
    expect(reactor).toEqual({ id, name: 'r' });
    expect(request).toEqual({ id: asyncReactorRequestId, invocation_type: 'async' });
    const { nonce } = (await server.call('POST', '/sessions', { as: 'public' })).body;
    await server.post('/sessions/authorize', { nonce, permissions: ['token:read'] });
    const card = { type: 'card', data: { number: '4242424242424242', cvc: '123' } };
    const token = await server.token(card);
    await server.emulator.clock.advance(3_600_000);
    const proxy = { name: 'p', destination_url: 'http://127.0.0.1:9' };
    const { key } = (await server.post('/proxies', proxy, { as })).body;
    const headers = { 'svc-api-key': server.emulator.keys.private, 'svc-proxy-key': key };
    await fetch(`${server.emulator.url}/proxy`, { headers });
    await server.get(`/tokens/${token.id}`);
    await arrived(11);
    expect([...new Set(types())].sort()).toEqual(wanted.sort());
    const expired = receiver.bodies().find(({ event }) => event.type === 'token.property.expired');
    expect(expired?.event.data.token).toMatchObject({ id: token.id, property_name: 'cvc' });
    expect(texts()).not.toContain(SECRET);
  });

  test('a change whose events have no room is refused as a whole', async () => {
    const held: ((status: number) => void)[] = [];
    receiver.answer = () => new Promise((resolve) => held.push(resolve));
    onTestFinished(async () => {
      // Nothing follows what is released.
      await control.post('/reset');
      for (const release of held) release(204);
    });
    for (let i = 0; i < 3; i++) await subscribe('token.created');
    const values = Array.from({ length: 6_000 }, (_, i) => `value ${i}`);
    expect((await server.post('/tokenize', values)).status).toBe(200);
    const refused = await server.post('/tokenize', values);
    expect([refused.status, refused.body.detail]).toEqual([507, expect.stringContaining('20000 pending')]);
    expect((await server.get('/tokens?size=1')).body.pagination.total_items).toBe(6_000);
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

  test('every type of event about a change is sent', async () => {
    const wanted = REPORTED_TYPES.filter((type) => !NO_CHANGE.test(type));
    await subscribe(...wanted);
    const expires_at = new Date(server.emulator.clock.now() + 3_600_000).toISOString();
    await server.token({ type: 'token', data: 'x', expires_at });
    const { id } = await server.token({ type: 'token', data: 'x' });
    await server.patch(`/tokens/${id}`, { data: 'y' });
    await server.delete(`/tokens/${id}`);
    for (const use of ['convert', 'delete', 'expire']) {
      const intent = await server.post('/token-intents', { type: 'token', data: 'x' });
      if (use === 'convert') await server.post('/tokens', { token_intent_id: intent.body.id });
      if (use === 'delete') await server.delete(`/token-intents/${intent.body.id}`);
    }
    const objects = {
      reactors: { name: 'r', code: 'module.exports = async () => ({});', configuration: {} },
      proxies: { name: 'p', destination_url: 'https://destination.example' },
      applications: { name: 'a', type: 'private', permissions: ['token:read'] },
    };
    for (const [collection, object] of Object.entries(objects)) {
      const created = await server.post(`/${collection}`, object, { as });
      await server.put(`/${collection}/${created.body.id}`, { ...object, type: undefined }, { as });
      if (collection === 'applications') await changeKeys(created.body.id);
      await server.delete(`/${collection}/${created.body.id}`, { as });
    }
    await server.emulator.clock.advance(86_460_000);
    await server.put('/tenants/self', { name: 't' }, { as });
    await deleteTenant();
    await expect.poll(() => [...new Set(types())].sort()).toEqual(wanted.sort());
    const keys = receiver.bodies().filter(({ event }) => event.type.startsWith('application.key.'));
    expect(keys.map(({ event }) => Object.keys(event.data.application_key))).toEqual([
      ['id', 'created_by', 'created_at', 'application_id'],
      ['id', 'application_id'],
    ]);
  });

  test.each(EVENT_TYPES)('%s is triggered as it would come', async (type) => {
    await subscribe(type);
    const { status, body } = await control.post('/webhook-events', { type, data: { note: { by: 7 } } });
    expect([status, body.deliveries], JSON.stringify(body)).toEqual([202, 1]);
    await arrived(1);
    const [sent] = receiver.bodies();
    expect(sent.event).toEqual(body.event);
    expect(sent.event.data).toEqual({
      [eventObject(type)]: expect.objectContaining({ id: expect.any(String) }),
      actor: expect.objectContaining({ type: type.endsWith('.expired') ? 'system' : 'application' }),
      note: { by: 7 },
    });
    expect((await control.get('/webhook-events')).body.events).toEqual([body.event]);
  });

  test('an event is triggered for subscribers or for one webhook, of the tenant that is asked for', async () => {
    await subscribe('token.created');
    const type = 'reactor.failed';
    expect((await control.post('/webhook-events', { type })).status).toBe(404);
    expect((await control.post('/webhook-events', { type, webhook: 'nobody' })).status).toBe(404);
    expect((await control.post('/webhook-events', { type: 'token.seen' })).status).toBe(400);
    expect((await control.post('/webhook-events', { type, webhook: 'shop' })).body.deliveries).toBe(1);
    const { tenant_id } = (await control.post('/tenants', { name: 'other' })).body;
    const other = await control.post(`/tenants/${tenant_id}/webhook-events`, { type, webhook: 'shop' });
    expect(other.status).toBe(404);
  });

  test('the data of a triggered event can be any, and none is an object', async () => {
    await subscribe('token.created');
    const data = { token: 'text', actor: null };
    const { body } = await control.post('/webhook-events', { type: 'token.created', data });
    expect(body.event.data).toEqual({ token: 'text' });
    await arrived(1);
  });

  test('the last event of a tenant is that it was deleted', async () => {
    await subscribe('tenant.updated', 'tenant.deleted');
    await server.put('/tenants/self', { name: 'renamed' }, { as });
    await arrived(1);
    await deleteTenant();
    await arrived(2);
    expect(types()).toEqual(['tenant.updated', 'tenant.deleted']);
    expect(texts()).not.toContain(server.emulator.webhook_secret);
  });

  test('are signed as the webhook says: by the secret of the tenant, or by a key over JSON with sorted keys', async () => {
    const hook = { name: 'signed', url: receiver.url, events: ['token.created'] };
    const refused = await server.post('/webhooks', { ...hook, signature_version: '3' }, { as });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['signature_version']]);
    const { body: webhook } = await server.post('/webhooks', { ...hook, signature_version: '2' }, { as });
    expect(webhook.signature_version).toBe('2');
    await server.token({ type: 'token', data: 1 });
    await arrived(1);
    await server.put(`/webhooks/${webhook.id}`, hook, { as });
    await server.token({ type: 'token', data: 1 });
    await arrived(2);
    const { public_key_pem: pem } = (await server.get('/webhooks/signing-key', { as })).body;
    const [second, first] = receiver.received.map(({ headers, body }) => ({ headers, text: body, body }));
    expect([second, first].map((one) => one?.headers['svc-signature-version'])).toEqual(['2', undefined]);
    const text = String(second?.text);
    expect(text).toBe(stringify(JSON.parse(text)));
    const key = { key: pem, padding: constants.RSA_PKCS1_PSS_PADDING };
    const signature = Buffer.from(String(second?.headers['svc-signature']), 'base64');
    expect(verify('sha256', Buffer.from(text), key, signature)).toBe(true);
    const secret = server.emulator.webhook_secret;
    const verified = [second, first].map((one) => [pem, secret].map((by) => isSigned(one as never, by)));
    expect(verified).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('are delivered again with the same event id until the receiver accepts them, in order', async () => {
    await subscribe('token.created', 'token.updated');
    receiver.answer = () => (receiver.received.length < 3 ? 503 : 204);
    const { id } = await server.token({ type: 'token', data: 1 });
    await server.patch(`/tokens/${id}`, { metadata: { a: 'b' } });
    const other = await server.token({ type: 'token', data: 2 });
    await vi.waitFor(async () => {
      await server.emulator.clock.advance(60_000);
      expect(types()).toContain('token.updated');
    }, PATIENCE);
    const idOf = (event: { data: { token: { id: string } } }) => event.data.token.id;
    const events = receiver.bodies().map(({ event }) => event);
    const ofToken = events.filter((event) => idOf(event) === id);
    const inOrder = ofToken.map(({ type }) => type);
    expect(inOrder.indexOf('token.updated')).toBe(inOrder.lastIndexOf('token.created') + 1);
    const created = ofToken.filter(({ type }) => type === 'token.created');
    expect(new Set(created.map((event) => event.id)).size).toBe(1);
    expect(events.map(idOf)).toContain(other.id);
  });

  test('survive a restart, in order', async () => {
    await subscribe('token.created', 'token.updated', 'token.deleted');
    server.emulator.clock.freeze();
    receiver.answer = () => 503;
    const { id } = await server.token({ type: 'token', data: 1 });
    await server.patch(`/tokens/${id}`, { metadata: { a: 'b' } });
    await server.delete(`/tokens/${id}`);
    await arrived(1);
    await server.close();
    receiver.received = [];
    receiver.answer = () => 204;
    await server.start();
    await server.emulator.clock.advance(3_600_000);
    await arrived(3);
    expect(types()).toEqual(['token.created', 'token.updated', 'token.deleted']);
  });

  test('a deleted webhook gets none of its pending events', async () => {
    const id = await subscribe('token.created');
    server.emulator.clock.freeze();
    receiver.answer = () => 503;
    await server.token({ type: 'token', data: 1 });
    await arrived(1);
    await server.delete(`/webhooks/${id}`, { as });
    receiver.answer = () => 204;
    await server.emulator.clock.advance(3_600_000);
    await server.token({ type: 'token', data: 2 });
    const other = await subscribe('token.deleted');
    await server.post(`/webhooks/${other}/ping`, undefined, { as });
    await arrived(2);
    expect(types()).toEqual(['token.created', 'webhook.ping']);
  });

  test('that can be delivered again take at most 8 MB together', async () => {
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

  test('a tenant has at most 20 webhooks, and other tenants get no events of it', async () => {
    for (let n = 0; n < 20; n++) await subscribe('tenant.updated');
    const body = { name: 'x', url: receiver.url, events: ['token.created'] };
    expect((await server.post('/webhooks', body, { as })).status).toBe(400);
    const { keys } = (await control.post('/tenants', { name: 'other' })).body;
    await server.put('/tenants/self', { name: 'other' }, { key: keys.management });
    await server.put('/tenants/self', { name: 'own' }, { as });
    await arrived(20);
    const tenants = receiver.bodies().map(({ event }) => event.tenant_id);
    expect(new Set(tenants)).toEqual(new Set([server.emulator.tenant_id]));
  });
});

describe('a webhook that accepts no event for a day', () => {
  const status = async (id: string) => (await server.get(`/webhooks/${id}`, { as })).body.status;
  const fail = async (count: number) => {
    await server.token({ type: 'token', data: 1 });
    await arrived(count);
  };

  test('is disabled: it gets no events until it is replaced, and pings all the same', async () => {
    receiver.answer = () => 500;
    const id = await subscribe('token.created');
    await fail(1);
    expect(await status(id)).toBe('enabled');
    // Each advance sends the failed delivery again, which is given up after some attempts.
    await control.put('/clock', { advance: '24h' });
    await expect.poll(() => status(id)).toBe('disabled');
    receiver.answer = () => 204;
    receiver.received = [];
    await server.token({ type: 'token', data: 1 });
    await server.post(`/webhooks/${id}/ping`, undefined, { as });
    await arrived(1);
    expect(types()).toEqual(['webhook.ping']);
    const content = { name: 'shop', url: receiver.url, events: ['token.created'] };
    const disable = await server.put(`/webhooks/${id}`, { ...content, status: 'disabled' }, { as });
    expect(disable.body.errors.status[0]).toContain('must be "enabled"');
    await server.put(`/webhooks/${id}`, { ...content, status: 'enabled' }, { as });
    expect(await status(id)).toBe('enabled');
    await server.token({ type: 'token', data: 1 });
    await arrived(2);
    expect(types()).toEqual(['webhook.ping', 'token.created']);
  });

  test('stays enabled if it has accepted one in between', async () => {
    receiver.answer = () => 500;
    const id = await subscribe('token.created');
    await fail(1);
    receiver.answer = () => 204;
    await control.put('/clock', { advance: '12h' });
    await arrived(2);
    receiver.answer = () => 500;
    await control.put('/clock', { advance: '13h' });
    await fail(3);
    expect(await status(id)).toBe('enabled');
  });
});
