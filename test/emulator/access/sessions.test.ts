import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Permission, Transform } from '../../../src/contract/permissions.js';
import { useReceiver } from '../../support/http-server.js';
import { createReactor, useServer } from '../../support/test-server.js';

const server = useServer();
const as = 'management';

interface Rule {
  priority: number;
  container: string;
  transform: Transform;
  permissions: Permission[];
}

const rule = (container: string, transform: Transform, priority = 1): Rule => ({
  ...{ priority, container, transform },
  permissions: ['token:read'],
});

async function open(key?: string): Promise<{ session_key: string; nonce: string; expires_at: string }> {
  const answer = await server.post('/sessions', undefined, key ? { key } : { as: 'public' });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

async function openWith(access: object, key?: string): Promise<string> {
  const { nonce, session_key } = await open();
  const answer = await server.post('/sessions/authorize', { nonce, ...access }, key ? { key } : {});
  expect(answer.status, JSON.stringify(answer.body)).toBe(204);
  return session_key;
}

const createKey = (rules: Rule[]) => server.application({ rules });

describe('decisions.md, The family as it is today: sessions', () => {
  test('a session shows data as its rules say, and neither opens nor authorizes another', async () => {
    const { id } = await server.token({ type: 'card_number', data: '4242424242424242' });
    const key = await openWith({ rules: [rule('/pci/', 'reveal')] });
    expect((await server.get(`/tokens/${id}`, { key })).body.data).toBe('4242424242424242');
    const masked = await openWith({ permissions: ['token:read'] });
    expect((await server.get(`/tokens/${id}`, { key: masked })).body.data).toBe('XXXXXXXXXXXX4242');
    for (const path of ['/sessions', '/sessions/authorize'])
      expect((await server.post(path, { nonce: 'x', permissions: ['token:read'] }, { key })).status).toBe(
        403,
      );
  });

  test('conditions limit a rule to one token, to a container, or to one token of a container', async () => {
    const [one, other] = [
      await server.token({ type: 'token', data: 'one', mask: 'm' }),
      await server.token({ type: 'token', data: 'other', containers: ['/general/low/'] }),
    ];
    const conditional = (...conditions: object[]) => ({
      ...{ priority: 1, conditions, transform: 'reveal' as const },
      permissions: ['token:read', 'token:use'],
    });
    const ofToken = conditional({ attribute: 'id', operator: 'equals', value: one.id });
    const key = await openWith({ rules: [ofToken] });
    expect((await server.get(`/tokens/${one.id}`, { key })).body.data).toBe('one');
    expect((await server.post('/detokenize', `{{ ${one.id} }}`, { key })).body).toBe('one');
    expect((await server.get(`/tokens/${other.id}`, { key })).status).toBe(403);
    expect((await server.post('/detokenize', `{{ ${other.id} }}`, { key })).status).toBe(403);
    expect((await server.get('/tokens', { key })).body.data).toEqual([]);
    const below = { attribute: 'container', operator: 'starts_with', value: '/general/low/' };
    const inContainer = await openWith({ rules: [conditional(below)] });
    expect((await server.get(`/tokens/${other.id}`, { key: inContainer })).body.data).toBe('other');
    expect((await server.get(`/tokens/${one.id}`, { key: inContainer })).status).toBe(403);
    const inGeneral = { ...below, value: '/general/' };
    const ofBoth = (value: object) => conditional(...ofToken.conditions, value);
    for (const [value, status] of [
      [inGeneral, 200],
      [below, 403],
    ] as const) {
      const key = await openWith({ rules: [ofBoth(value)] });
      expect((await server.get(`/tokens/${one.id}`, { key })).status).toBe(status);
      expect((await server.post('/detokenize', `{{ ${one.id} }}`, { key })).status).toBe(status);
      expect((await server.get(`/tokens/${other.id}`, { key })).status).toBe(403);
    }
    const { nonce } = await open();
    const refused = [{ ...ofToken, container: '/' }, conditional(), conditional(below, below)];
    for (const one of refused)
      expect((await server.post('/sessions/authorize', { nonce, rules: [one] })).status).toBe(400);
    const limited = await createKey([
      { ...rule('/general/', 'reveal'), permissions: ['token:read', 'token:use'] },
    ]);
    for (const [rule, status] of [
      [ofToken, 403],
      [ofBoth(inGeneral), 204],
    ] as const)
      expect(
        (await server.post('/sessions/authorize', { nonce, rules: [rule] }, { key: limited })).status,
      ).toBe(status);
  });

  test('what it is authorized for takes the place of what it was authorized for before', async () => {
    const { nonce, session_key: key } = await open();
    await server.post('/sessions/authorize', { nonce, rules: [rule('/', 'reveal')] });
    await server.post('/sessions/authorize', { nonce, permissions: ['token:create'] });
    expect((await server.get('/tokens', { key })).status).toBe(403);
    expect((await server.post('/tokens', { type: 'token', data: 1 }, { key })).status).toBe(201);
  });

  test.each<[string, Rule[], Rule, number]>([
    ['what it holds', [rule('/pci/', 'mask')], rule('/pci/high/', 'mask'), 204],
    ['less than it holds', [rule('/', 'reveal')], rule('/pci/', 'redact'), 204],
    ['another container', [rule('/pci/', 'reveal')], rule('/bank/', 'redact'), 403],
    ['a stronger transform', [rule('/', 'mask')], rule('/pci/', 'reveal'), 403],
  ])('a private key grants no more than it holds itself: %s', async (_what, held, granted, status) => {
    const { nonce } = await open();
    const key = await createKey(held);
    expect((await server.post('/sessions/authorize', { nonce, rules: [granted] }, { key })).status).toBe(
      status,
    );
  });

  test('it ends with its time by the clock of the tenant, or with the application that opened it', async () => {
    const own = { name: 'page', type: 'public', permissions: ['token:create'] };
    const application = (await server.post('/applications', own, { as })).body;
    const { nonce, session_key: orphan } = await open(application.key);
    await server.post('/sessions/authorize', { nonce, permissions: ['token:read'] });
    const list = (key: string) => server.get('/tokens', { key });
    expect((await list(orphan)).status).toBe(200);
    await server.delete(`/applications/${application.id}`, { as });
    expect((await list(orphan)).status).toBe(401);

    const expires_at = new Date(server.emulator.clock.now() + 7_200_000).toISOString();
    const [usual, longer] = [
      await openWith({ permissions: ['token:read'] }),
      await openWith({ permissions: ['token:read'], expires_at }),
    ];
    const late = await server.post('/sessions/authorize', {
      ...{ nonce: (await open()).nonce, permissions: ['token:read'] },
      expires_at: '2090-01-01T00:00:00Z',
    });
    expect([late.status, Object.keys(late.body.errors)]).toEqual([400, ['expires_at']]);
    const { nonce: unused } = await open();
    await server.emulator.clock.advance(3_600_000);
    expect((await list(usual)).status).toBe(401);
    const granted = { nonce: unused, permissions: ['token:read'] };
    expect((await server.post('/sessions/authorize', granted)).status).toBe(404);
    await server.emulator.clock.advance(60_000);
    expect((await list(usual)).body.detail).toContain('a session that has ended');
    expect((await list(longer)).status).toBe(200);
    await server.emulator.clock.advance(3_600_000);
    expect((await list(longer)).status).toBe(401);
  });

  test('it ends at its time, although it is removed up to a minute later', async () => {
    const ends = server.emulator.clock.now() + 3_000;
    const expires_at = new Date(ends).toISOString();
    const key = await openWith({ permissions: ['token:read'], expires_at });
    await sleep(ends - server.emulator.clock.now() + 10);
    expect((await server.get('/tokens', { key })).status).toBe(401);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    [
      'holds less than it has granted',
      (id) => server.put(`/applications/${id}`, { name: 'server', rules: [rule('/', 'redact')] }, { as }),
    ],
    ['is deleted', (id) => server.delete(`/applications/${id}`, { as })],
  ])('a session may do nothing once the application that authorized it %s', async (_what, change) => {
    const body = { name: 'server', type: 'private', rules: [rule('/', 'reveal')] };
    const { id, key: authorizer } = (await server.post('/applications', body, { as })).body;
    const key = await openWith({ rules: [rule('/pci/', 'reveal')] }, authorizer);
    const statuses = async () => [
      (await server.get('/tokens', { key })).status,
      (await server.get('/permissions', { key })).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await server.put(`/applications/${id}`, { name: 'renamed', rules: [rule('/', 'reveal')] }, { as });
    expect(await statuses()).toEqual([200, 200]);
    await change(id);
    expect(await statuses()).toEqual([403, 403]);
  });

  test('a response that was stored before a session was authorized for less is not repeated', async () => {
    await server.token({ type: 'token', data: 'x' });
    const { nonce, session_key: key } = await open();
    const headers = { 'SVC-IDEMPOTENCY-KEY': 'search' };
    const search = async (container: string) => {
      const rules = [{ ...rule(container, 'reveal'), permissions: ['token:search'] }];
      await server.post('/sessions/authorize', { nonce, rules });
      return (await server.post('/tokens/search', { query: '' }, { key, headers })).body.data.length;
    };
    expect(await search('/')).toBeGreaterThan(0);
    expect(await search('/empty/')).toBe(0);
  });

  test('no session gets the stored response of another, or of the application that opened it', async () => {
    const headers = { 'SVC-IDEMPOTENCY-KEY': 'same' };
    const create = async (key: string) =>
      (await server.post('/tokens', { type: 'token', data: 'x' }, { key, headers })).body.id;
    const [one, other] = [
      await openWith({ permissions: ['token:create'] }),
      await openWith({ permissions: ['token:create'] }),
    ];
    const ids = [await create(one), await create(other), await create(server.emulator.keys.public)];
    expect(new Set(ids).size).toBe(3);
    expect(await create(one)).toBe(ids[0]);
  });
});

const receiver = useReceiver();

const keyWith = (permission: string) => server.application({ permissions: [permission] });

describe('decisions.md, The family as it is today: permissions to invoke', () => {
  test('each invokes without token data, and only what it names', async () => {
    const { id: token } = await server.token({ type: 'token', data: 'secret' });
    const reactor = await createReactor(server, 'module.exports = async ({ args }) => ({ raw: args })');
    const react = (key: string, args: unknown) =>
      server.post(`/reactors/${reactor}/react`, { args }, { key });
    const send = (key: string, body: unknown) =>
      fetch(`${server.emulator.url}/proxy`, {
        method: 'POST',
        headers: { 'SVC-API-KEY': key, 'SVC-PROXY-URL': receiver.url, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const [invoker, sender, user] = [
      await keyWith('reactor:invoke'),
      await keyWith('proxy:invoke'),
      await keyWith('token:use'),
    ];
    const statuses = async (key: string, value: unknown) => [
      (await react(key, { value })).status,
      (await send(key, { value })).status,
    ];
    expect(await statuses(invoker, 1)).toEqual([200, 403]);
    expect(await statuses(sender, 1)).toEqual([403, 204]);
    expect(await statuses(user, `{{ ${token} }}`)).toEqual([200, 204]);
    expect(await statuses(invoker, `{{ ${token} }}`)).toEqual([403, 403]);
    expect(await statuses(sender, `{{ ${token} }}`)).toEqual([403, 403]);
  });

  test('token:use is enough to grant them to a session', async () => {
    const { nonce } = (await server.post('/sessions', undefined, { as: 'public' })).body;
    const key = await keyWith('token:use');
    const grant = (permission: string) =>
      server.post('/sessions/authorize', { nonce, permissions: [permission] }, { key });
    expect((await grant('token:read')).status).toBe(403);
    // A permission without a rule masks, which is less than token:use shows.
    expect((await grant('reactor:invoke')).status).toBe(204);
  });
});
