import { describe, expect, test } from 'vitest';
import { useReceiver } from '../../support/http-server.js';
import { createReactor, useServer } from '../../support/test-server.js';

const server = useServer();
const receiver = useReceiver();

async function keyWith(...permissions: string[]): Promise<string> {
  const body = { name: 'invokes', type: 'private', permissions };
  return (await server.post('/applications', body, { as: 'management' })).body.key;
}

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
