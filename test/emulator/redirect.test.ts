import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NetworkPolicy } from '../../emulator/sandbox/network/policy.js';
import { tokenctl } from '../support/executable.js';
import { useHttpServer } from '../support/http-server.js';
import { createReactor, useServer } from '../support/test-server.js';

/** Stands for every host of example.com: records what it gets. Answers `/waiting` after three other requests. */
let received: string[] = [];
const stub = useHttpServer(async (request, response) => {
  const body = await text(request);
  if (request.url === '/waiting') await expect.poll(() => received).toHaveLength(3);
  else received.push(`${request.method} ${request.headers.host}${request.url}`);
  response.end(JSON.stringify({ body }));
});
const redirects: Record<string, string> = {};

beforeAll(() => {
  redirects['*.example.com'] = stub.url;
  redirects['far.example.org'] = 'http://192.0.2.1:4010';
});
beforeEach(() => {
  received = [];
});

const CALLS = {
  fetch: `await fetch('https://api.example.com/a?b=1', { method: 'POST', body: 'x' }).then((r) => r.json())`,
  'fetch over http': `await fetch('http://api.example.com/a?b=1', { method: 'POST', body: 'x' }).then((r) => r.json())`,
  axios: `(await require('axios').post('https://api.example.com/a?b=1', 'x')).data`,
  'https.request': `await new Promise((done, failed) => require('https').request('https://api.example.com/a?b=1', { method: 'POST' }, (r) => {
    let t = ''; r.on('data', (d) => { t += d }).on('end', () => done(JSON.parse(t))) }).on('error', failed).end('x'))`,
};

describe.each(['quickjs', 'node'] as const)('--redirect HOST=URL with the %s runtime', (reactorRuntime) => {
  const network: NetworkPolicy = { mode: 'loopback', redirects };
  const modules = { reactorModules: new URL('../..', import.meta.url).pathname };
  const server = useServer({ network, reactorRuntime, ...(reactorRuntime === 'node' && modules) });

  test.each(Object.entries(CALLS))('%s of a reactor reaches the stub', async (_client, call) => {
    const id = await createReactor(server, `module.exports = async () => ({ raw: ${call} });`);
    const { body } = await server.post(`/reactors/${id}/react`, {});
    expect(body).toEqual({ raw: { body: 'x' } });
    expect(received).toEqual(['POST api.example.com/a?b=1']);
  });

  test('the network policy is asked about the stub, not about the host', async () => {
    const call = (url: string) => `await fetch('${url}').catch((e) => (e.cause ?? e).message)`;
    const code = `module.exports = async () => ({ raw: [${call('https://far.example.org/')}, ${call('https://other.example.org/')}] });`;
    const { body } = await server.post(`/reactors/${await createReactor(server, code)}/react`, {});
    expect(body.raw).toEqual([
      'Connection to 192.0.2.1:4010 refused. To allow it, use --allow-net 192.0.2.1.',
      'Connection to other.example.org:443 refused. To allow it, use --allow-net other.example.org.',
    ]);
  });
});

test('webhooks, callbacks and proxies reach the stub; the flag may be repeated', async () => {
  const flags = Object.entries(redirects).flatMap(([host, url]) => ['--redirect', `${host}=${url}`]);
  const script = `const base = process.env.TOKENCTL_BASE_URL;
    const call = (key, path, body, more) => fetch(base + path, { method: 'POST', headers: { 'svc-api-key': process.env['TOKENCTL_' + key + '_KEY'], 'content-type': 'application/json', ...more }, body: JSON.stringify(body) }).then(async (r) => [r.status, JSON.parse(await r.text() || 'null')]);
    const [, hook] = await call('MANAGEMENT', '/webhooks', { name: 'a', url: 'https://hooks.example.com/in', events: ['token.created'] });
    await call('MANAGEMENT', '/webhooks/' + hook.id + '/ping');
    const [, reactor] = await call('MANAGEMENT', '/reactors', { name: 'a', code: 'module.exports = async () => ({})', configuration: {} });
    await call('PRIVATE', '/reactors/' + reactor.id + '/react', { callback_url: 'https://callbacks.example.com/in' });
    console.log((await call('PRIVATE', '/proxy/charges', {}, { 'svc-proxy-url': 'https://api.example.com/v1' }))[0]);
    await fetch('${redirects['*.example.com']}/waiting');`;
  const ran = await tokenctl(
    ['emulator', 'exec', '--memory', ...flags, '--', process.execPath, '--input-type=module', '-e', script],
    { cwd: tmpdir() },
  );
  expect(ran.stdout.trim(), ran.stderr).toBe('200');
  expect(received.sort()).toEqual([
    'POST api.example.com/v1/charges',
    'POST callbacks.example.com/in',
    'POST hooks.example.com/in',
  ]);
});

test.each([
  'api.example.com',
  'api.example.com=',
  '=http://127.0.0.1:1',
  'a=ftp://127.0.0.1',
  'a=http://127.0.0.1/path',
])('--redirect %s is a usage error that says what is accepted', async (value) => {
  const ran = await tokenctl(['emulator', 'start', '--memory', '--port', '0', '--redirect', value], {
    cwd: tmpdir(),
  });
  expect([ran.code, JSON.parse(ran.stderr).error.detail]).toEqual([
    2,
    expect.stringContaining('api.example.com=http://127.0.0.1:4010'),
  ]);
});
