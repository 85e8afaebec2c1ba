import { describe, expect, test } from 'vitest';
import { sendRequest } from '../../support/http-request.js';
import { sendBytes, sendText } from '../../support/raw-http.js';
import { useServer } from '../../support/test-server.js';

const PAGE = 'https://shop.example';
const server = useServer({ allowOrigins: [PAGE] });

function create(headers: Record<string, string>, path = '/tokens') {
  const { url, keys } = server.emulator;
  const all = { 'SVC-API-KEY': keys.private, 'content-type': 'application/json', ...headers };
  return sendRequest(url, 'POST', path, all, '{"type":"token","data":"x"}');
}

async function stored(): Promise<number> {
  return (await server.get('/tokens')).body.pagination.total_items;
}

describe('decisions.md: a foreign Host or Origin is 403 before everything else', () => {
  test.each([
    ['a name that resolves here', { host: 'rebind.example' }],
    ['the same with the port', { host: 'rebind.example:8787' }],
    ['a name that begins like ours', { host: 'localhost.example' }],
    ['an address of another machine', { host: '203.0.113.7' }],
    ['a malformed Host', { host: '[::1' }],
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['an address as Origin', { origin: 'http://127.0.0.1:1' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a malformed Origin', { origin: '%%' }],
    ['an origin that ends like an allowed one', { origin: 'https://evil.shop.example' }],
    ['an allowed origin under another Host', { host: 'rebind.example', origin: PAGE }],
    ['a port that is none', { host: 'localhost:x' }],
  ])('%s: nothing happens', async (_what, headers) => {
    const before = await stored();
    const answer = await create(headers);
    expect(answer.status).toBe(403);
    expect(answer.body.title).toBe('Foreign Host Or Origin');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(await stored()).toBe(before);
  });

  test('the answer names the flag that admits the Host, or the Origin', async () => {
    const detail = async (headers: Record<string, string>) => (await create(headers)).body.detail;
    expect(await detail({ host: 'vault.example' })).toContain('--public-url');
    expect(await detail({ origin: 'https://evil.example' })).toContain('--allow-origin');
  });

  test('the host guard runs before the key is checked and also covers the control endpoints', async () => {
    const { url } = server.emulator;
    expect((await sendRequest(url, 'GET', '/tokens', { host: 'rebind.example' })).status).toBe(403);
    expect((await sendRequest(url, 'GET', '/_emulator/health', { host: 'rebind.example' })).status).toBe(403);
    expect((await sendRequest(url, 'GET', '/tokens/%zz', { host: 'rebind.example' })).status).toBe(403);
  });

  test.each(['', 'host:\r\n', 'host: %00\r\n'])('no usable Host: %j', async (header) => {
    const text = await sendBytes(
      server.emulator.url,
      `GET /permissions HTTP/1.0\r\n${header}svc-api-key: ${server.emulator.keys.private}\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1.1 403 /);
  });

  test.each([
    ['two', 'host: localhost\r\nHost: localhost\r\n'],
    ['a foreign one after ours', 'host: localhost\r\nhost: rebind.example\r\n'],
    ['none', ''],
  ])('RFC 9112, section 3.2: %s Host of HTTP/1.1 is 400', async (_what, hosts) => {
    const { url, keys } = server.emulator;
    const request = `GET /permissions HTTP/1.1\r\n${hosts}connection: close\r\nsvc-api-key: ${keys.private}\r\n\r\n`;
    const { status, headers, body } = await sendText(url, request);
    expect(status).toBe(400);
    expect(headers.get('svc-trace-id')).toBeTruthy();
    expect(JSON.parse(body).errors).toEqual({ 'headers.Host': ['must be sent exactly once'] });
  });

  test.each(['localhost', 'LOCALHOST:8787', '127.0.0.1', '127.0.0.9:1', '[::1]:8787'])(
    'this machine is accepted: %s',
    async (host) => {
      expect((await create({ host })).status).toBe(201);
    },
  );

  test('a page served by the emulator itself is accepted', async () => {
    const { host, origin } = new URL(server.emulator.url);
    expect((await create({ host, origin })).status).toBe(201);
  });
});

describe('--allow-origin', () => {
  test('a page of an allowed origin may call and read the response', async () => {
    const answer = await create({ origin: PAGE });
    expect(answer.status).toBe(201);
    expect(answer.headers['access-control-allow-origin']).toBe(PAGE);
    expect(answer.headers['access-control-expose-headers']).toBe(
      'SVC-TRACE-ID, SVC-LOG-COMPLETE-FROM, Retry-After',
    );
    expect(answer.headers.vary).toBe('Origin');
  });

  test('a preflight request is answered without a key, and allows the requested headers, by default those of the service', async () => {
    const preflight = (requested: Record<string, string>) => {
      const headers = { origin: PAGE, 'access-control-request-method': 'POST', ...requested };
      return sendRequest(server.emulator.url, 'OPTIONS', '/tokens/', headers);
    };
    const own = { 'access-control-request-headers': 'x-client-version,sentry-trace' };
    expect(await preflight(own)).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-headers': 'x-client-version,sentry-trace',
        'access-control-allow-methods': expect.stringContaining('PATCH'),
        vary: 'Origin, Access-Control-Request-Headers',
      },
    });
    const usual = expect.stringContaining('SVC-IDEMPOTENCY-KEY');
    expect((await preflight({})).headers).toMatchObject({ 'access-control-allow-headers': usual });
  });

  test.each([
    '/_emulator/reset',
    '/%5Femulator/reset',
    'http://localhost/_emulator/reset',
    '/_emulator/nothing',
  ])('the control endpoints stay closed to it, and nothing happens: %s', async (path) => {
    const { id } = await server.token({ type: 'token', data: 'x' });
    const headers = { origin: PAGE, authorization: `Bearer ${server.emulator.controlToken}` };
    const answer = await sendRequest(server.emulator.url, 'POST', path, headers);
    expect(answer.status).toBe(403);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect((await server.get(`/tokens/${id}`)).status).toBe(200);
  });
});
