import { describe, expect, it } from 'vitest';
import { controlOf } from '../../../support/control.js';
import { createApplication, createReactor, react } from '../../../support/reactors.js';
import { useServer } from '../../../support/test-server.js';

const server = useServer();
const control = controlOf(server);
const ECHO = 'module.exports = async (req) => ({ raw: req.args });';

async function otherTenant(): Promise<{ management: string; private: string }> {
  return (await control.post('/tenants', { name: 'other' })).body.keys;
}

describe('tenants', () => {
  it("another tenant's reactor does not exist", async () => {
    const id = await createReactor(server, ECHO);
    const keys = await otherTenant();
    const asOther = { key: keys.management };
    expect((await server.get(`/reactors/${id}`, asOther)).status).toBe(404);
    expect((await server.put(`/reactors/${id}`, {}, asOther)).status).toBe(404);
    expect((await server.patch(`/reactors/${id}`, {}, asOther)).status).toBe(404);
    expect((await server.delete(`/reactors/${id}`, asOther)).status).toBe(404);
    expect((await react(server, id, {}, { key: keys.private })).status).toBe(404);
    const { body } = await server.get('/reactors', asOther);
    expect(body.pagination.total_items).toBe(0);
  });

  it("another tenant's tokens cannot be detokenized", async () => {
    const token = await server.token({ type: 'token', data: 'mine' });
    const keys = await otherTenant();
    const body = { name: 'r', code: ECHO, configuration: {} };
    const reactor = await server.post('/reactors', body, { key: keys.management });
    const answer = await react(server, reactor.body.id, { a: `{{${token.id}}}` }, { key: keys.private });
    expect(answer.status).toBe(400);
  });

  it("another tenant's application cannot be a reactor's", async () => {
    const { id } = await createApplication(server, { permissions: ['token:create'] });
    const keys = await otherTenant();
    const body = { name: 'r', code: ECHO, configuration: {}, application: { id } };
    expect((await server.post('/reactors', body, { key: keys.management })).status).toBe(400);
  });

  it('the reactors of a tenant are deleted with it', async () => {
    const keys = await otherTenant();
    const body = { name: 'r', code: ECHO, configuration: {} };
    const { body: reactor } = await server.post('/reactors', body, { key: keys.management });
    await server.delete('/tenants/self', { key: keys.management });
    expect((await react(server, reactor.id, {}, { key: keys.private })).status).toBe(401);
  });
});

describe('idempotency', () => {
  const COUNTER =
    'let calls = 0; module.exports = async ({ args }) => ({ raw: { calls: ++calls, got: args.a } });';

  it('a repeated react under the same key does not run the code again', async () => {
    const id = await createReactor(server, COUNTER);
    const headers = { 'SVC-IDEMPOTENCY-KEY': 'react-once' };
    const first = await react(server, id, { a: 1 }, { headers });
    const second = await react(server, id, { a: 2 }, { headers });
    expect(first.body).toEqual({ raw: { calls: 1, got: 1 } });
    expect(second.body).toEqual(first.body);
  });

  it('a stored response is removed when a token whose data it may contain is deleted', async () => {
    const id = await createReactor(server, COUNTER);
    const token = await server.token({ type: 'token', data: 'secret' });
    const headers = { 'SVC-IDEMPOTENCY-KEY': 'react-forget' };
    const args = { a: `{{ ${token.id} }}` };
    expect((await react(server, id, args, { headers })).body.raw).toEqual({ calls: 1, got: 'secret' });
    await server.delete(`/tokens/${token.id}`);
    expect((await react(server, id, args, { headers })).status).toBe(400);
    expect((await react(server, id, { a: 1 }, { headers })).body.raw).toEqual({ calls: 2, got: 1 });
  });

  it('a repeated asynchronous react gets the 202 of the first, with its request id', async () => {
    const id = await createReactor(server, COUNTER);
    const headers = { 'SVC-IDEMPOTENCY-KEY': 'react-later' };
    const body = { callback_url: 'http://127.0.0.1:1/' };
    const first = await server.post(`/reactors/${id}/react`, body, { headers });
    const second = await server.post(`/reactors/${id}/react`, body, { headers });
    expect([first.status, second.status, second.body]).toEqual([202, 202, undefined]);
    expect(first.headers.get('svc-request-id')).toEqual(expect.any(String));
    expect(second.headers.get('svc-request-id')).toBe(first.headers.get('svc-request-id'));
  });

  it('a failed response is not stored', async () => {
    const id = await createReactor(
      server,
      "let calls = 0; module.exports = async () => { if (++calls === 1) throw new Error('first'); return { raw: calls }; };",
    );
    const headers = { 'SVC-IDEMPOTENCY-KEY': 'react-failed' };
    expect((await react(server, id, {}, { headers })).status).toBe(500);
    expect((await react(server, id, {}, { headers })).body).toEqual({ raw: 2 });
  });
});

describe('usage', () => {
  it('tokens that a reactor used or created are active this month', async () => {
    const keys = await otherTenant();
    const active = async () => {
      const { body } = await server.get('/tenants/self/reports/usage', { key: keys.management });
      return body.token_report.monthly_active_tokens;
    };
    const body = {
      name: 'r',
      code: 'module.exports = async ({ args }) => ({ tokenize: args.a });',
      configuration: {},
    };
    const { body: reactor } = await server.post('/reactors', body, { key: keys.management });
    const token = await server.token({ type: 'token', data: 'x' }, { key: keys.private });
    expect(await active()).toBe(1);
    await react(server, reactor.id, { a: `{{${token.id}}}` }, { key: keys.private });
    expect(await active()).toBe(2);
  });

  it('an older token counts when a reactor uses it', async () => {
    await server.emulator.clock.advance(40 * 86_400_000);
    const keys = await otherTenant();
    const token = await server.token({ type: 'token', data: 'x' }, { key: keys.private });
    await server.emulator.clock.advance(40 * 86_400_000);
    const body = { name: 'r', code: ECHO, configuration: {} };
    const { body: reactor } = await server.post('/reactors', body, { key: keys.management });
    const active = async () =>
      (await server.get('/tenants/self/reports/usage', { key: keys.management })).body.token_report
        .monthly_active_tokens;
    expect(await active()).toBe(0);
    await react(server, reactor.id, { a: `{{${token.id}}}` }, { key: keys.private });
    expect(await active()).toBe(1);
  });
});
