import { describe, expect, test } from 'vitest';
import { useServer } from '../../../support/test-server.js';

const server = useServer();
const node = useServer({ reactorRuntime: 'node' });
const as = 'management';
const runtime = { image: 'node22', dependencies: { uuid: '9' }, warm_concurrency: 0 };

async function create(body: string, more: object = { runtime }, to = server) {
  const code = `module.exports = async (event) => { ${body} };`;
  const reactor = { name: 'newer', code, configuration: { CURRENCY: 'EUR' }, ...more };
  return to.post('/reactors', reactor, { as });
}

async function react(body: string, args: object = {}, more?: object, to = server) {
  const { id } = (await create(body, more, to)).body;
  const { url, keys } = to.emulator;
  const headers = { 'svc-api-key': keys.private, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ args }) };
  const response = await fetch(`${url}/reactors/${id}/react`, request);
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on it.
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

describe('decisions.md, The family as it is today: reactors of the newer runtime', () => {
  test('code gets an event, and its `res` is the whole response', async () => {
    await server.token({ type: 'token', id: 'secret', data: 'value' });
    const { status, headers, body } = await react(
      `event.logger.info('called');
      const { req: { args }, configuration } = event;
      return { res: { statusCode: 201, headers: { 'X-Own': 'a' }, body: { args, configuration, old: event.args } } };`,
      { secret: '{{ secret }}' },
    );
    expect([status, headers.get('x-own')]).toEqual([201, 'a']);
    expect(body).toEqual({ args: { secret: 'value' }, configuration: { CURRENCY: 'EUR' } });
  });

  test('without a status, it is 200; with node-bt, the contract is the specified one', async () => {
    const plain = await react('return { res: { body: { ok: true } } }');
    expect([plain.status, plain.body]).toEqual([200, { ok: true }]);
    const specified = await react('return { raw: event.args }', { a: 1 }, { runtime: { image: 'node-bt' } });
    expect([specified.status, specified.body]).toEqual([200, { raw: { a: 1 } }]);
  });

  test.each([
    ['a throw', "throw Object.assign(new Error('declined'), { status: 402 })", 'declined'],
    ['no res', 'return { raw: 1 }', 'the reactor must return { res: { body, statusCode } }'],
  ])('%s is 502', async (_what, code, message) => {
    const { status, body } = await react(code);
    expect([status, body.title, body.errors]).toEqual([502, 'Bad Gateway', { error: [message] }]);
  });

  test('the result of an asynchronous invocation is the response, too', async () => {
    const { id } = (await create('return { res: { body: { sum: event.req.args.a + 1 } } }')).body;
    const { body } = await server.post(`/reactors/${id}/react-async`, { args: { a: 1 } });
    const path = `/reactors/${id}/results/${body.asyncReactorRequestId}`;
    const { url, keys } = server.emulator;
    const result = () => fetch(url + path, { headers: { 'svc-api-key': keys.private } });
    await expect.poll(async () => (await result()).json(), { timeout: 10_000 }).toEqual({ sum: 2 });
  });

  test('the runtime is kept and returned, with a state, until it is removed', async () => {
    const created = await create('');
    expect(created.body).toMatchObject({ runtime, state: 'active' });
    const { id } = created.body;
    await server.patch(`/reactors/${id}`, { runtime: null }, { as });
    const { body } = await server.get(`/reactors/${id}`, { as });
    expect([body.runtime, body.state]).toEqual([undefined, undefined]);
    const unknown = await create('', { runtime: { image: 'deno' } });
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([400, ['runtime.image']]);
  });

  test('permissions of the runtime are those of `svc` without an application', async () => {
    const code = `const { id } = await event.svc.tokens.create({ type: 'token', data: 'x' });
      return { res: { body: await event.svc.tokens.get(id).catch(({ status }) => status) } };`;
    const { body } = await react(code, {}, { runtime: { image: 'node22', permissions: ['token:create'] } });
    expect(body).toBe(403);
    const wrong = await create('', { runtime: { permissions: ['tenant:read'] } });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['runtime.permissions.0']]);
  });

  test('both runtimes of the emulator have the contract', async () => {
    const code = 'return { res: { body: event.req.args, statusCode: 203 } }';
    const { status, body } = await react(code, { a: 1 }, { runtime }, node);
    expect([status, body]).toEqual([203, { a: 1 }]);
  });
});
