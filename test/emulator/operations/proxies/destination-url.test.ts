import { hostname } from 'node:os';
import { describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../../../support/patience.js';
import { controlOf, createReactor, useServer } from '../../../support/test-server.js';

const as = 'management';
const HTTPS_REQUIRED = {
  destination_url: ['must be a URL that starts with https:// (http:// to loopback only)'],
};

describe.each(['none', 'loopback', 'open'] as const)('the network policy is %s', (mode) => {
  const server = useServer({ network: { mode } });

  test.each([
    ['http to another machine is refused', 'http://192.0.2.1/v1', HTTPS_REQUIRED],
    ['http to a name of no machine is refused', 'http://unknown.invalid/v1', HTTPS_REQUIRED],
    ['http to this machine is accepted', 'http://localhost:9/v1', undefined],
    ['https is accepted, although it may not be reachable', 'https://192.0.2.1/v1', undefined],
  ])('%s', async (_what, destination_url, errors) => {
    const created = await server.post('/proxies', { name: 'one', destination_url }, { as });
    expect([created.status, created.body.errors]).toEqual([errors ? 400 : 201, errors]);
    const usual = { name: 'two', destination_url: 'http://127.0.0.1:9/' };
    const path = `/proxies/${(await server.post('/proxies', usual, { as })).body.id}`;
    const patched = await server.patch(path, { destination_url }, { as });
    expect([patched.status, patched.body?.errors]).toEqual([errors ? 400 : 204, errors]);
    const replaced = await server.put(path, { name: 'two', destination_url }, { as });
    expect([replaced.status, replaced.body.errors]).toEqual([errors ? 400 : 200, errors]);
  });
});

describe('the network policy decides when something is sent, not when it is stored (decisions.md, "Addresses")', () => {
  const server = useServer();
  const control = controlOf(server);

  const lastErrors = (count: number) =>
    vi.waitFor(async () => {
      const { deliveries } = (await control.get('/deliveries')).body;
      const errors = deliveries.flatMap((one: { last_error?: string }) => one.last_error ?? []);
      expect(errors).toHaveLength(count);
      return errors as string[];
    }, PATIENCE);

  test.each([
    ['another machine', 'https://192.0.2.7/hook'],
    ['a name', 'https://hooks.example/in'],
    ['a link-local address', 'https://169.254.10.1/hook'],
    ['the metadata address as IPv6', 'https://[::ffff:169.254.169.254]/'],
  ])('%s is stored as the URL of a webhook and a proxy', async (_what, url) => {
    const webhook = { name: 'one', url, events: ['token.created'] };
    const created = await server.post('/webhooks', webhook, { as });
    expect([created.status, created.body.url]).toEqual([201, url]);
    const path = `/webhooks/${created.body.id}`;
    expect((await server.put(path, { ...webhook, name: 'two' }, { as })).status).toBe(200);
    expect((await server.delete(path, { as })).status).toBe(204);
    const proxy = { name: 'one', destination_url: url };
    expect((await server.post('/proxies', proxy, { as })).status).toBe(201);
  });

  test('pending deliveries and proxies say why nothing was sent, and the flag that allows it', async () => {
    const reason = 'Connection to hooks.example:443 refused. To allow it, use --allow-net hooks.example.';
    const url = 'https://hooks.example/in';
    const webhook = { name: 'one', url, events: ['token.created'] };
    const { id } = (await server.post('/webhooks', webhook, { as })).body;
    expect((await server.post(`/webhooks/${id}/ping`, undefined, { as })).status).toBe(202);
    const reactor = await createReactor(server, 'module.exports = async () => ({ raw: 1 });');
    const invoked = await server.post(`/reactors/${reactor}/react`, { callback_url: url });
    expect(invoked.status).toBe(202);
    expect(await lastErrors(2)).toEqual([reason, reason]);
    const headers = { 'svc-api-key': server.emulator.keys.private, 'svc-proxy-url': url };
    const proxied = await fetch(`${server.emulator.url}/proxy`, { headers });
    const { detail } = (await proxied.json()) as { detail: string };
    expect([proxied.status, detail]).toEqual([502, expect.stringContaining(reason)]);
  });

  test.each([
    ['http beyond this machine', 'http://192.0.2.7/hook'],
    ['the metadata address', 'http://169.254.169.254/latest'],
    ['a name that is not allowed, though it may mean this machine', `http://${hostname()}/hook`],
    ['another protocol', 'ftp://localhost/hook'],
    ['no URL', 'hook'],
  ])('what is malformed is 400: %s', async (_what, url) => {
    const webhook = { name: 'one', url, events: ['token.created'] };
    const proxy = { name: 'one', destination_url: url };
    const reactor = await createReactor(server, 'module.exports = async () => ({});');
    const answers = [
      await server.post('/webhooks', webhook, { as }),
      await server.post('/proxies', proxy, { as }),
      await server.post(`/reactors/${reactor}/react`, { callback_url: url }),
    ];
    expect(answers.map(({ status, body }) => [status, Object.keys(body.errors)])).toEqual([
      [400, ['url']],
      [400, ['destination_url']],
      [400, ['callback_url']],
    ]);
  });
});
