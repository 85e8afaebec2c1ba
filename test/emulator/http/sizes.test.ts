import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../src/contract/limits.js';
import { sendText } from '../../support/raw-http.js';
import { useServer } from '../../support/test-server.js';

const server = useServer();

/** A create request of exactly this many bytes. */
function bodyOf(bytes: number): string {
  const [before, after] = ['{"type":"token","data":"', '"}'];
  return before + 'x'.repeat(bytes - before.length - after.length) + after;
}

describe('decisions.md: 5 MB is 5,242,880 bytes of body', () => {
  test('a body of exactly that size is accepted', async () => {
    expect((await server.call('POST', '/tokens', { raw: bodyOf(LIMITS.bodyBytes) })).status).toBe(201);
  });

  test('a body of one byte more is 413 and nothing is stored', async () => {
    const before = (await server.get('/tokens')).body.pagination.total_items;
    expect((await server.call('POST', '/tokens', { raw: bodyOf(LIMITS.bodyBytes + 1) })).status).toBe(413);
    expect((await server.get('/tokens')).body.pagination.total_items).toBe(before);
  });

  test('the limit counts bytes, not characters, and does not depend on Content-Length', async () => {
    const text = `{"type":"token","data":"${'ä'.repeat(LIMITS.bodyBytes / 2)}"}`;
    const response = await fetch(`${server.emulator.url}/tokens`, {
      method: 'POST',
      headers: { 'SVC-API-KEY': server.emulator.keys.private, 'content-type': 'application/json' },
      body: new Blob([text]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  test.each([
    ['POST', '/tokens', LIMITS.bodyBytes],
    ['PUT', '/_emulator/tenants/file', 256 * 1024 * 1024],
  ])('what is too long for %s %s is told how long it may be: %i bytes', async (method, path, limit) => {
    const { url, keys, controlToken } = server.emulator;
    const head = [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      `SVC-API-KEY: ${keys.private}`,
      `Authorization: Bearer ${controlToken}`,
      'Content-Type: application/json',
      `Content-Length: ${limit + 1}`,
      'Connection: close',
    ];
    // All of it, or as much as the emulator reads of what it refuses: it then answers at once.
    const sent = ' '.repeat(Math.min(limit, 64 * 1024 * 1024) + 1);
    const { status, body } = await sendText(url, `${head.join('\r\n')}\r\n\r\n${sent}`);
    expect([status, JSON.parse(body).detail]).toEqual([413, `The body must be at most ${limit} bytes.`]);
  });
});

test('a container has at most 400 characters: a token is found under every container above its own', async () => {
  const longest = `/aa/${'a/'.repeat(198)}`;
  const create = (container: string) =>
    server.post('/tokens', { type: 'token', data: 1, containers: [container] });
  expect([longest.length, (await create(longest)).status]).toEqual([400, 201]);
  const { status, body } = await create(`${longest}b/`);
  expect([status, body.errors]).toEqual([400, { 'containers.0': ['must be at most 400 characters'] }]);
});

describe('spec: names of at most 200 characters', () => {
  const long = 'n'.repeat(LIMITS.nameCharacters);
  const as = 'management';

  test('tenant', async () => {
    expect((await server.put('/tenants/self', { name: long }, { as })).body.name).toBe(long);
    const { status, body } = await server.put('/tenants/self', { name: `${long}n` }, { as });
    expect([status, body.errors]).toEqual([400, { name: ['must be at most 200 characters'] }]);
    expect((await server.put('/tenants/self', { name: '' }, { as })).status).toBe(400);
  });

  test('application', async () => {
    const create = (name: string) =>
      server.post('/applications', { name, type: 'public', permissions: [] }, { as });
    expect((await create(long)).status).toBe(201);
    expect((await create(`${long}n`)).body.errors).toEqual({ name: ['must be at most 200 characters'] });
    expect((await create('')).status).toBe(400);
  });
});
