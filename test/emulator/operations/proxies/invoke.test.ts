import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { getHeapStatistics } from 'node:v8';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTenant } from '../../../support/call.js';
import { startHttpServer, useHttpServer } from '../../../support/http-server.js';
import { sendBytes } from '../../../support/raw-http.js';
import { useServer } from '../../../support/test-server.js';
import { width } from '../../../support/width.js';

const server = useServer();
const CARD = '4242424242424242';

interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

let url: string;
let received: Received[] = [];
let answer: { status: number; headers: Record<string, string>; body: string };

const destination = useHttpServer(async (request, response) => {
  const { method = '', url: path = '', headers } = request;
  received.push({ method, url: path, headers, body: await buffer(request) });
  response.writeHead(answer.status, answer.headers).end(answer.body);
});
beforeAll(async () => {
  url = `${destination.url}/v1/`;
  await server.token({ type: 'card', id: 'card', data: { number: CARD, expiration_month: 12 } });
  await server.token({ type: 'token', id: 'note', data: 'a <b> & "c"/?' });
  await server.token({ type: 'token', id: 'lines', data: 'a\r\nX-Injected: b' });
});
beforeEach(() => respondWith(200, ''));

/** Sends a request line and headers as they are. */
const sendLines = (...lines: string[]) => {
  const { url, keys } = server.emulator;
  const head = [...lines, 'Host: localhost', `SVC-API-KEY: ${keys.private}`];
  if (!lines.some((line) => line.startsWith('Connection:'))) head.push('Connection: close');
  return sendBytes(url, [...head, '\r\n'].join('\r\n'));
};

interface Options {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  key?: string | null;
}

async function send(path: string, { method = 'POST', headers = {}, body, key }: Options = {}) {
  received = [];
  const apiKey = key === undefined ? server.emulator.keys.private : key;
  const response = await fetch(`${server.emulator.url}/proxy${path}`, {
    method,
    headers: { ...(apiKey !== null && { 'svc-api-key': apiKey }), ...headers },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on it.
  const json = (): any => JSON.parse(text);
  return { status: response.status, headers: response.headers, text, json };
}

const ephemeral = (path: string, { headers, ...options }: Options = {}) =>
  send(path, { ...options, headers: { 'svc-proxy-url': url, ...headers } });

function respondWith(status: number, body: string, headers: Record<string, string> = {}): void {
  answer = { status, headers, body };
}

async function createProxy(fields: object = {}): Promise<{ id: string; key: string }> {
  const body = { name: 'one', destination_url: url, ...fields };
  const created = await server.post('/proxies', body, { as: 'management' });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body;
}

const json = { 'content-type': 'application/json' };
const last = () => received[0] as Received;

describe('decisions.md, Proxies: detokenization', () => {
  test('in path, query, headers and a JSON body', async () => {
    const expression = encodeURIComponent("{{ card | json: '$.number' }}");
    await ephemeral(`/charges/${expression}/?n=${expression}&plain=a%20b+c`, {
      headers: { ...json, 'x-note': 'last4={{ card | json: "$.number" | last4 }}' },
      body: '{"card":"{{ card }}","month":"{{ card | json: \'$.expiration_month\' }}","plain":[1,"x"]}',
    });
    expect(last().url).toBe(`/v1/charges/${CARD}/?n=${CARD}&plain=a%20b+c`);
    expect(last().headers['x-note']).toBe('last4=4242');
    expect(JSON.parse(last().body.toString())).toEqual({
      card: { number: CARD, expiration_month: 12 },
      month: 12,
      plain: [1, 'x'],
    });
  });

  const inUrl = 'a%20%3Cb%3E%20%26%20%22c%22%2F%3F';
  const inXml = 'a &lt;b&gt; &amp; &quot;c&quot;/?';

  test.each([
    ['application/x-www-form-urlencoded', 'a=%7B%7B+note+%7D%7D&b=1+2', `a=${inUrl}&b=1+2`],
    ['application/xml', '<n>{{ note }}</n>', `<n>${inXml}</n>`],
    ['application/soap+xml; charset=utf-8', '<n a="{{ note }}"/>', `<n a="${inXml}"/>`],
    ['text/plain', 'note: {{ note }}, {{ card | json: "$.expiration_month" }}', 'note: a <b> & "c"/?, 12'],
    ['application/vnd.api+json', '{"a":"{{ note }}"}', '{"a":"a <b> & \\"c\\"/?"}'],
    ['application/octet-stream', '{{ note }}', '{{ note }}'],
  ])('in a body of type %s', async (type, body, expected) => {
    await ephemeral('', { headers: { 'content-type': type }, body });
    expect(last().body.toString()).toBe(expected);
  });

  test('a value in the path cannot add segments', async () => {
    await ephemeral(`/a/${encodeURIComponent('{{ note }}')}/b`);
    expect(last().url).toBe(`/v1/a/${inUrl}/b`);
  });

  test('a body that is not text passes unchanged', async () => {
    const bytes = new Uint8Array([0xff, 0x7b, 0x7b, 0x00, 0x7d, 0x7d]);
    await ephemeral('', { headers: { 'content-type': 'text/plain' }, body: bytes });
    expect([...last().body]).toEqual([...bytes]);
  });

  test.each<[string, Options, number]>([
    ['an unknown token', { headers: json, body: '{"a":"{{ nobody }}"}' }, 400],
    ['JSON that is not valid', { headers: json, body: '{"a":"{{ note }}"' }, 400],
    ['a header that would have two lines', { headers: { 'x-a': '{{ lines }}' } }, 400],
    [
      'more than 100 tokens',
      { headers: json, body: JSON.stringify(Array.from({ length: 101 }, (_, n) => `{{ t-${n} }}`)) },
      400,
    ],
  ])('%s is refused, and nothing is sent', async (_what, options, status) => {
    const response = await ephemeral('', options);
    expect(response.status).toBe(status);
    expect(response.headers.get('svc-proxy-error')).toBe('true');
    expect(response.headers.has('svc-proxy-destination-status')).toBe(false);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const { proxy_error, ...problem } = response.json();
    expect(proxy_error).toEqual(problem);
    expect(response.text).not.toContain('Injected');
    expect(received).toEqual([]);
  });

  test.each([
    ['text', 'text/plain', `{{'"`.repeat(1_250_000)],
    ['XML', 'application/xml', '{'.repeat(5_000_000)],
    ['a form', 'application/x-www-form-urlencoded', 'a={{ card'],
  ])('an expression without an end in %s is 400, whatever its size', async (_name, type, body) => {
    const response = await ephemeral('/', { headers: { 'content-type': type }, body });
    expect([response.status, received.length]).toEqual([400, 0]);
    expect(response.json().proxy_error.errors).toEqual({
      body: ['an expression must have the form {{ <token id> }} or {{ <token id> | filters }}'],
    });
  });
});

describe('decisions.md, Proxies: requests and responses', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s comes through', async (method) => {
    const body = method === 'GET' ? {} : { body: 'plain' };
    await ephemeral('/things', { method, ...body });
    expect([last().method, last().url, last().body.toString()]).toEqual([
      method,
      '/v1/things',
      method === 'GET' ? '' : 'plain',
    ]);
  });

  test('HEAD comes through, with the headers of the destination and without a body', async () => {
    respondWith(200, 'a body', { 'x-request-id': 'r' });
    const response = await ephemeral('/things', { method: 'HEAD' });
    expect(last().method).toBe('HEAD');
    expect([response.status, response.headers.get('x-request-id'), response.text]).toEqual([200, 'r', '']);
    expect(response.headers.get('content-length')).toBeNull();
  });

  test('any other method is 405', async () => {
    const text = await sendLines('TRACE /proxy/things HTTP/1.1');
    expect(text).toMatch(/^HTTP\/1.1 405/);
    expect(text).toMatch(/\r\nallow: GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS\r\n/i);
  });

  test("headers of the service and of the connection are not forwarded, the client's are", async () => {
    received = [];
    const text = await sendLines(
      'GET /proxy HTTP/1.1',
      `SVC-PROXY-URL: ${url}`,
      'SVC-TRACE-ID: t',
      'Proxy-Authorization: p',
      'X-Hop: h',
      'Connection: close, x-hop',
      'Authorization: Bearer of-the-destination',
    );
    expect(text).toMatch(/^HTTP\/1.1 200/);
    const { headers } = last();
    expect(headers.authorization).toBe('Bearer of-the-destination');
    expect(Object.keys(headers).filter((name) => /^svc-|^proxy-|^x-hop/.test(name))).toEqual([]);
    expect(headers.host).toBe(new URL(url).host);
  });

  test('status, headers and body of the destination come back, redirects included', async () => {
    respondWith(302, '<html>moved</html>', {
      location: 'https://elsewhere.example/',
      'content-type': 'text/html',
      'x-request-id': 'r',
      'access-control-allow-origin': '*',
    });
    received = [];
    const response = await fetch(`${server.emulator.url}/proxy`, {
      redirect: 'manual',
      headers: { 'svc-api-key': server.emulator.keys.private, 'svc-proxy-url': url },
    });
    expect(response.status).toBe(302);
    expect(response.headers.get('svc-proxy-destination-status')).toBe('302');
    expect(response.headers.get('x-request-id')).toBe('r');
    expect(response.headers.get('location')).toBe('https://elsewhere.example/');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('content-security-policy')).toBe('sandbox');
    expect(await response.text()).toBe('<html>moved</html>');
  });

  test.each([
    ['no proxy', {}, 400],
    ['a URL that is no URL', { 'svc-proxy-url': 'ftp://x' }, 400],
    ['an unknown key', { 'svc-proxy-key': 'nothing' }, 404],
    ['a host that nobody answers', { 'svc-proxy-url': 'http://127.0.0.1:9/' }, 502],
    ['a host that the network policy refuses', { 'svc-proxy-url': 'https://203.0.113.7/' }, 502],
    ['plain http to another machine', { 'svc-proxy-url': 'http://203.0.113.7/' }, 502],
  ])('%s is a failure of the emulator', async (_what, headers, status) => {
    const response = await send('', { headers });
    expect([response.status, response.headers.get('svc-proxy-error')]).toEqual([status, 'true']);
  });

  test('without a key, or with one that lacks token:use, it is 401 or 403', async () => {
    const { management } = server.emulator.keys;
    expect((await ephemeral('', { key: null })).status).toBe(401);
    expect((await ephemeral('', { key: 'key_unknown' })).status).toBe(401);
    expect((await ephemeral('', { key: management })).status).toBe(403);
  });

  test('a proxy that leads to itself is 502', async () => {
    const own = `${server.emulator.url}/proxy`;
    const created = await server.post(
      '/proxies',
      { name: 'loop', destination_url: own, require_auth: false },
      { as: 'management' },
    );
    const { id, key } = created.body;
    // Each hop gets the key again; a transform may drop what the request has passed.
    const request_transform = { code: 'module.exports = async () => ({ headers: {} })' };
    const patch = { destination_url: `${own}?svc-proxy-key=${key}`, request_transform };
    await server.patch(`/proxies/${id}`, patch, { as: 'management' });
    const response = await send('', { headers: { 'svc-proxy-key': key } });
    expect([response.status, response.json().detail]).toEqual([
      502,
      'The request has passed 5 proxies; it leads to itself.',
    ]);
  });

  test('a status beyond those of HTTP is 502', async () => {
    respondWith(777, 'odd');
    const response = await ephemeral('');
    expect([response.status, response.headers.get('svc-proxy-error')]).toEqual([502, 'true']);
  });

  test('a destination cannot pass its response off as a failure of the emulator', async () => {
    respondWith(400, '{}', { 'svc-proxy-error': 'true' });
    const response = await ephemeral('');
    expect([response.status, response.headers.get('svc-proxy-error')]).toEqual([400, null]);
  });

  test('a path cannot lead out of the destination', async () => {
    const request = (path: string) => sendLines(`GET /proxy${path} HTTP/1.1`, `SVC-PROXY-URL: ${url}`);
    expect(await request('/../admin')).toMatch(/^HTTP\/1.1 400/);
    expect(await request('/%2e%2e/admin')).toMatch(/^HTTP\/1.1 400/);
    expect(await request('/a/../b')).toMatch(/^HTTP\/1.1 200/);
  });
});

describe('decisions.md, Proxies: configured proxies', () => {
  test('the key is taken from the header or the query, and is not forwarded', async () => {
    const { key, id } = await createProxy();
    await send('/a?x=1', { headers: { 'svc-proxy-key': key } });
    expect(last().url).toBe('/v1/a?x=1');
    await send(`/a?svc-proxy-key=${key}&x=1`);
    expect(last().url).toBe('/v1/a?x=1');
    const { body } = await server.get(`/logs?entity_type=proxy&entity_id=${id}`, { as: 'management' });
    expect(body.data.map((entry: { operation: string }) => entry.operation)).toEqual([
      'use',
      'use',
      'create',
    ]);
  });

  test('transforms change request and response, with configuration and detokenized data', async () => {
    const request = `module.exports = async ({ args, configuration }) => ({
      body: { card: args.body.number.slice(-4), secret: configuration.SECRET, seen: [args.method, args.path, args.query] },
      headers: { ...args.headers, 'X-Signed': 'yes' },
      path: '/signed',
    });`;
    const response = `module.exports = async ({ args }) => ({ body: { status: args.status, was: args.body }, headers: { 'X-Out': 'b' } });`;
    const { key } = await createProxy({
      request_transform: { code: request },
      response_transform: { code: response },
      configuration: { SECRET: 's' },
    });
    respondWith(201, '{"id":1}', { 'content-type': 'application/json', 'x-in': 'a' });
    const headers = { ...json, 'svc-proxy-key': key };
    const answered = await send('/pay?x=1', {
      headers,
      body: '{"number":"{{ card | json: \'$.number\' }}"}',
    });
    expect([last().url, last().headers['x-signed']]).toEqual(['/v1/signed?x=1', 'yes']);
    expect(JSON.parse(last().body.toString())).toEqual({
      card: '4242',
      secret: 's',
      seen: ['POST', '/pay', '?x=1'],
    });
    expect([answered.status, answered.headers.get('x-out'), answered.headers.has('x-in')]).toEqual([
      201,
      'b',
      false,
    ]);
    expect(answered.json()).toEqual({ status: 201, was: { id: 1 } });
    respondWith(404, 'nothing here');
    const missing = await send('', { headers, body: '{"number":"1"}' });
    expect([missing.status, missing.text]).toEqual([404, 'nothing here']);
  });

  test.each([
    ['a JSON body', '{ headers: {}, body: { a: 1 } }', 'text/csv', '{"a":1}', 'application/json'],
    ['a JSON body in place of one without a type', '{ body: [1] }', undefined, '[1]', 'application/json'],
    ['a text', "{ headers: {}, body: 'a;b' }", 'text/csv', 'a;b', 'text/csv'],
    ['only headers', "{ headers: { x: 'y' } }", 'application/json', '"in"', 'application/json'],
    ['a type of its own', "{ headers: { 'Content-Type': 'a/b' }, body: 1 }", 'text/csv', '1', 'a/b'],
  ])('a transform that returns %s keeps the type right', async (_what, result, before, body, after) => {
    const transform = { code: `module.exports = async () => (${result})` };
    const { key } = await createProxy({ request_transform: transform, response_transform: transform });
    const type = before === undefined ? {} : { 'content-type': before };
    respondWith(200, '"in"', type);
    const bytes = new TextEncoder().encode('"in"');
    const answered = await send('', { headers: { ...type, 'svc-proxy-key': key }, body: bytes });
    for (const { headers, text } of [
      { headers: new Headers(last().headers as Record<string, string>), text: last().body.toString() },
      answered,
    ])
      expect([text, headers.get('content-type')]).toEqual([body, after]);
  });

  test('a transform that throws answers, and nothing is sent', async () => {
    const code = (what: string) => ({
      request_transform: {
        code: `const e = require('svc-reactor-errors'); module.exports = async () => { ${what} };`,
      },
    });
    const thrown = await createProxy(code("throw new e.AuthenticationError('no')"));
    const refused = await send('', { headers: { 'svc-proxy-key': thrown.key } });
    expect([refused.status, refused.json().proxy_error.errors]).toEqual([401, { error: ['no'] }]);
    const own = await createProxy(
      code('throw new e.CustomHttpResponseError({ status: 418, body: { mine: 1 } })'),
    );
    const custom = await send('', { headers: { 'svc-proxy-key': own.key } });
    expect([custom.status, custom.json()]).toEqual([418, { mine: 1 }]);
    const wrong = await createProxy(code('return 1'));
    expect((await send('', { headers: { 'svc-proxy-key': wrong.key } })).status).toBe(500);
    const broken = await createProxy({ request_transform: { code: 'module.exports = (' } });
    expect((await send('', { headers: { 'svc-proxy-key': broken.key } })).status).toBe(422);
    expect(received).toEqual([]);
  });

  test('without authentication no token is used', async () => {
    const { key } = await createProxy({ require_auth: false });
    const headers = { ...json, 'svc-proxy-key': key };
    expect((await send('', { key: null, headers, body: '{"a":1}' })).status).toBe(200);
    expect((await send('', { key: null, headers, body: '"{{ note }}"' })).status).toBe(403);
    expect(received).toEqual([]);
    const closed = await createProxy();
    expect((await send('', { key: null, headers: { 'svc-proxy-key': closed.key } })).status).toBe(401);
  });

  test('an update takes effect at once, a deleted proxy is unknown, that of another tenant too', async () => {
    const code = (n: number) => `module.exports = async () => ({ body: { n: ${n} } });`;
    const { key, id } = await createProxy({ request_transform: { code: code(1) } });
    const headers = { 'svc-proxy-key': key };
    await send('', { headers });
    await server.patch(`/proxies/${id}`, { request_transform: { code: code(2) } }, { as: 'management' });
    await send('', { headers });
    expect(last().body.toString()).toBe('{"n":2}');
    const other = await createTenant(server.emulator, 'other');
    expect((await send('', { headers, key: other.keys.private })).status).toBe(404);
    await server.delete(`/proxies/${id}`, { as: 'management' });
    expect((await send('', { headers })).status).toBe(404);
  });
});

describe('decisions.md, The family as it is today: expressions of proxies', () => {
  const hmac = (text: string) => createHmac('sha256', 'k-1').update(text).digest('hex').toUpperCase();

  test('read the configuration, and sign the detokenized request', async () => {
    const { key } = await createProxy({ configuration: { secret_key: 'k-1' } });
    const signature = `{{ proxy | json: '$.request.headers.X-Date' | append: proxy.request.body | hmac: 'sha-256', proxy.config.secret_key | to_base16 }}`;
    const sent = await send('', {
      headers: { ...json, 'svc-proxy-key': key, 'x-date': 'today', authorization: `V1 ${signature}` },
      body: '{"card":"{{ card | json: \'$.number\' }}","key":"{{ config: secret_key }}"}',
    });
    expect(sent.status, sent.text).toBe(200);
    const body = `{"card":"${CARD}","key":"k-1"}`;
    expect(String(last().body)).toBe(body);
    expect(last().headers.authorization).toBe(`V1 ${hmac(`today${body}`)}`);
  });

  test('name configuration values that exist, of a configured proxy', async () => {
    const { key } = await createProxy();
    const body = '{"key":"{{ config: none }}"}';
    const configured = await send('', { headers: { ...json, 'svc-proxy-key': key }, body });
    expect([configured.status, configured.json().errors]).toEqual([
      400,
      { 'body.key': ['must name a value of the configuration of the proxy'] },
    ]);
    expect((await ephemeral('', { headers: json, body })).status).toBe(400);
  });

  test('are forwarded as they are with disable_detokenization', async () => {
    const { id, key } = await createProxy({ disable_detokenization: true });
    const options = { headers: { ...json, 'svc-proxy-key': key }, body: '{"card":"{{ card }}"}' };
    await send('', options);
    expect(String(last().body)).toBe(options.body);
    await server.patch(`/proxies/${id}`, { disable_detokenization: false }, { as: 'management' });
    await send('', options);
    expect(JSON.parse(String(last().body)).card.number).toBe(CARD);
  });
});

const MIB = 1024 * 1024;
const whenFull = test.runIf(width(false, true));

/** Starts a destination that responds to `/slow` with 31 MiB but does not end, and to everything else with one byte. */
async function startDestination(): Promise<{ url: string; slow: ServerResponse[] }> {
  const slow: ServerResponse[] = [];
  const url = await startHttpServer(({ url }, response) => {
    if (url !== '/slow') return void response.end('x');
    slow.push(response);
    response.write(Buffer.alloc(31 * MIB));
  });
  return { url, slow };
}

whenFull(
  'large responses of destinations have the share of a tenant together; what goes beyond is 503, and small ones pass',
  async () => {
    // 512 MiB for all, of which a tenant has three quarters.
    if (getHeapStatistics().heap_size_limit < 2_048 * MIB) return;
    const { url, slow } = await startDestination();
    const send = (path: string) =>
      fetch(`${server.emulator.url}/proxy${path}`, {
        headers: { 'svc-api-key': server.emulator.keys.private, 'svc-proxy-url': url },
      });
    const requests = Array.from({ length: 13 }, () => send('/slow'));
    const refused = await Promise.race(requests);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({
      detail: expect.stringContaining('Large requests of this tenant'),
    });
    expect((await send('/small')).status).toBe(200);

    for (const response of slow) response.end();
    const lengths = await Promise.all(
      requests.map(async (request) => {
        const response = await request;
        return response.status === 200 ? (await response.arrayBuffer()).byteLength / MIB : response.status;
      }),
    );
    expect(lengths.sort((a, b) => a - b)).toEqual([...Array(12).fill(31), 503]);

    // What they held is free again.
    const again = Array.from({ length: 12 }, () => send('/slow'));
    await expect.poll(() => slow.length).toBe(25);
    for (const response of slow) response.end();
    for (const request of again) expect((await request).status).toBe(200);
  },
);
