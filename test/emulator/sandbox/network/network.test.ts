import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OutboundRequest } from '../../../../emulator/sandbox/invocation.js';
import { type AddressKind, classifyAddress } from '../../../../emulator/sandbox/network/address.js';
import { type NetworkPolicy, refusalReason } from '../../../../emulator/sandbox/network/policy.js';
import { useHttpServer } from '../../../support/http-server.js';
import { ownSandbox, returned, run, testSandbox } from '../../../support/sandbox.js';

const requests: string[] = [];

function answer(request: IncomingMessage, response: ServerResponse): void {
  requests.push(`${request.method} ${request.url}`);
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stub');
  if (pathname === '/redirect') {
    response.writeHead(Number(searchParams.get('status')), { location: searchParams.get('to') ?? '' }).end();
    return;
  }
  if (pathname === '/interim') {
    for (let i = 0; i < Number(searchParams.get('count')); i += 1) response.writeProcessing();
    response.writeHead(200).end();
    return;
  }
  if (pathname === '/switch') {
    response.socket?.end(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    return;
  }
  if (pathname === '/gzip') {
    response
      .writeHead(200, { 'content-encoding': 'gzip' })
      .end(gzipSync('x'.repeat(Number(searchParams.get('size')))));
    return;
  }
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const { method, url, headers } = request;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ method, url, headers, body }));
  });
}

const server = useHttpServer(answer);
let base: string;
beforeAll(() => {
  base = server.url;
});

test.each<[string, AddressKind]>([
  ['127.0.0.1', 'loopback'],
  ['127.9.9.9', 'loopback'],
  ['0.0.0.0', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['169.254.169.254', 'forbidden'],
  ['169.254.0.1', 'forbidden'],
  ['100.100.100.200', 'forbidden'],
  ['168.63.129.16', 'forbidden'],
  ['::ffff:169.254.169.254', 'forbidden'],
  ['::ffff:a9fe:a9fe', 'forbidden'],
  ['64:ff9b::a9fe:a9fe', 'forbidden'],
  ['2002:a9fe:a9fe::', 'forbidden'],
  ['::169.254.169.254', 'forbidden'],
  ['::a9fe:a9fe', 'forbidden'],
  ['::ffff:0:a9fe:a9fe', 'forbidden'],
  ['64:ff9b:1::a9fe:a9fe', 'forbidden'],
  ['64:ff9b:1:ffff:ffff:ffff:169.254.169.254', 'forbidden'],
  ['64:ff9b:1:a9fe:a9:fe00::', 'forbidden'],
  ['64:ff9b:1:12a9:fe:a9fe::', 'forbidden'],
  ['64:ff9b:1:1234:a9:fea9:fe00:0', 'forbidden'],
  ['::127.0.0.1', 'loopback'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['64:ff9b:1::7f00:1', 'loopback'],
  ['2002:7f00:1::', 'loopback'],
  ['::', 'loopback'],
  ['::8.8.8.8', 'other'],
  ['64:ff9b:1::808:808', 'other'],
  ['64:ff9b:1:808:8:800::', 'other'],
  ['64:ff9b:1:1:1:1:127.0.0.1', 'other'],
  ['fe80::1%eth0', 'forbidden'],
  ['fd00:ec2::254', 'forbidden'],
  ['224.0.0.1', 'forbidden'],
  ['10.0.0.1', 'other'],
  ['8.8.8.8', 'other'],
  ['2606:4700::1111', 'other'],
])('%s is %s', (address, kind) => {
  expect(classifyAddress(address)).toBe(kind);
});

const open: NetworkPolicy = { mode: 'open' };
const hosts: NetworkPolicy = {
  mode: 'hosts',
  hosts: ['api.example.com', '*.test.dev', '10.0.0.5', 'a.b:8443'],
};
test.each<[NetworkPolicy, string, number, string | undefined, boolean]>([
  [{ mode: 'none' }, 'localhost', 80, '127.0.0.1', false],
  [{ mode: 'loopback' }, 'localhost', 80, '127.0.0.1', true],
  [{ mode: 'loopback' }, 'example.com', 80, undefined, false],
  [{ mode: 'loopback' }, 'localhost', 80, '93.184.216.34', false],
  [open, 'example.com', 443, '93.184.216.34', true],
  [open, 'rebind.example.com', 443, '169.254.169.254', false],
  [hosts, 'api.example.com', 443, undefined, true],
  [hosts, 'api.example.com', 443, '169.254.169.254', false],
  [hosts, 'evil-api.example.com', 443, undefined, false],
  [hosts, 'x.test.dev', 443, '10.1.1.1', true],
  [hosts, 'test.dev', 443, undefined, false],
  [hosts, '10.0.0.5', 443, '10.0.0.5', true],
  [hosts, 'a.b', 8443, undefined, true],
  [hosts, 'a.b', 443, undefined, false],
  [hosts, '127.0.0.1', 443, '127.0.0.1', true],
])('the policy: %j, %s:%i at %s: %s', (policy, hostname, port, address, allowed) => {
  expect(refusalReason(policy, { hostname, port, address }) === undefined).toBe(allowed);
});

describe('requests of reactor code', () => {
  const sandbox = testSandbox();
  const reactor = (body: string) => `module.exports = async ({ args: { base } }) => { ${body} }`;
  const value = (body: string) => returned(sandbox, reactor(body), { args: { base } });

  test('more than ten responses before the final one are an error', async () => {
    const status = (count: number) =>
      value(`return fetch(base + '/interim?count=${count}').then((r) => r.status, (e) => e.cause.message)`);
    expect(await status(10)).toBe(200);
    expect(await status(11)).toBe('The server sent more than 10 responses with a status of 1xx.');
  });

  test('a switch to another protocol is an error', async () => {
    const body = `return fetch(base + '/switch').catch((e) => e.cause.message)`;
    expect(await value(body)).toBe('The server closed the connection without a response.');
  });

  test('a body that decompresses to more than the limit is an error', async () => {
    const body = `return fetch(base + '/gzip?size=6000000').catch((e) => e.cause.message)`;
    expect(await value(body)).toBe('The response is longer than 5242880 bytes.');
  });

  test.each([
    ['POST', 302, 'GET'],
    ['POST', 303, 'GET'],
    ['POST', 307, 'POST'],
    ['PUT', 301, 'PUT'],
  ])('a redirect: %s, %i, then %s', async (method, status, expected) => {
    const body = `const r = await fetch(base + '/redirect?status=${status}&to=/to', { method: '${method}', body: 'x' });
      return [(await r.json()).method, r.redirected, r.url === base + '/to'];`;
    expect(await value(body)).toEqual([expected, true, true]);
  });

  test.each([
    ['a metadata address', `'http://169.254.169.254/latest/meta-data'`],
    ['one in other notations', `'http://0xa9fea9fe/'`],
    ['one as IPv4 in IPv6', `'http://[::ffff:169.254.169.254]/'`],
    ['one after a redirect', `base + '/redirect?status=302&to=http://169.254.169.254/'`],
    ['a foreign address', `'http://93.184.216.34/'`],
    ['a foreign name', `'http://example.com/'`],
    ['a foreign name after a redirect', `base + '/redirect?status=307&to=http://example.com/'`],
  ])('%s is refused', async (_name, url) => {
    expect(await value(`return fetch(${url}).catch((e) => e.cause.code)`)).toBe('ERR_NETWORK_POLICY');
  });

  test('a redirect to a host that is too long to be converted is refused before it is parsed', async () => {
    const body = `return fetch(base + '/redirect?status=302&to=http://${'a'.repeat(600)}/').catch((e) => e.cause.code)`;
    expect(await value(body)).toBe('ERR_REDIRECT');
  });

  test('credentials are not sent to another origin after a redirect', async () => {
    const other = base.replace('127.0.0.1', 'localhost');
    const body = `const r = await fetch(base + '/redirect?status=307&to=${other}/to', { headers: { authorization: 'secret', cookie: 'c', 'x-a': 'b' } });
      const { headers } = await r.json(); return [headers.authorization ?? null, headers.cookie ?? null, headers['x-a']];`;
    expect(await value(body)).toEqual([null, null, 'b']);
  });

  test('no address can be reached without network access', async () => {
    const offline = ownSandbox({ network: { mode: 'none' } });
    const before = requests.length;
    const code = reactor(`return fetch(base).catch((e) => e.cause.code)`);
    expect(await returned(offline, code, { args: { base } })).toBe('ERR_NETWORK_POLICY');
    expect(requests).toHaveLength(before);
  });

  test('reports the requests that code sent and the responses it received', async () => {
    const seen: OutboundRequest[] = [];
    const code = reactor(
      `await fetch(base + '/z', { method: 'POST', body: 'hi' }); await fetch('http://127.0.0.1:1').catch(() => {})`,
    );
    await run(sandbox, code, { args: { base }, onRequest: (request) => seen.push(request) });
    expect(seen).toMatchObject([
      { method: 'POST', url: `${base}/z`, status: 200, requestBody: 'hi', traceId: 'trace' },
      { method: 'GET', url: 'http://127.0.0.1:1/', error: 'connect ECONNREFUSED 127.0.0.1:1' },
    ]);
    expect(seen[0]?.responseBody).toContain('"url":"/z"');
  });
});
