import { expect, it } from 'vitest';
import { createReactor, react, useServer } from '../../../support/test-server.js';

const server = useServer();
const COUNTER = 'let n = 0; module.exports = async ({ args }) => ({ raw: { calls: ++n, got: args.a } });';

it('a repeated invocation under one key does not run the code again, unless a token of it was deleted', async () => {
  const id = await createReactor(server, COUNTER);
  const token = await server.token({ type: 'token', data: 'secret' });
  const headers = { 'SVC-IDEMPOTENCY-KEY': 'react-once' };
  const args = { a: `{{ ${token.id} }}` };
  expect((await react(server, id, args, { headers })).body.raw).toEqual({ calls: 1, got: 'secret' });
  expect((await react(server, id, { a: 1 }, { headers })).body.raw).toEqual({ calls: 1, got: 'secret' });
  await server.delete(`/tokens/${token.id}`);
  expect((await react(server, id, args, { headers })).status).toBe(400);
  expect((await react(server, id, { a: 1 }, { headers })).body.raw).toEqual({ calls: 2, got: 1 });
});

it('a repeated invocation with a callback gets the 202 of the first, with its request id', async () => {
  const id = await createReactor(server, COUNTER);
  const headers = { 'SVC-IDEMPOTENCY-KEY': 'react-later' };
  const body = { callback_url: 'http://127.0.0.1:1/' };
  const first = await server.post(`/reactors/${id}/react`, body, { headers });
  const second = await server.post(`/reactors/${id}/react`, body, { headers });
  expect([first.status, second.status, second.body]).toEqual([202, 202, undefined]);
  expect(first.headers.get('svc-request-id')).toEqual(expect.any(String));
  expect(second.headers.get('svc-request-id')).toBe(first.headers.get('svc-request-id'));
});
