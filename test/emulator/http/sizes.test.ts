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

const values = ['"a, [b], \\"{c"', '[ ]', '{ \n }', '{"a": 1}', '[1, true]', 'null', '-1.5e3'];
// `{"a": 1}` is two values, and `[1, true]` three.
const VALUES_OF_ALL = 10;
/** A request to create a token with this many values: its own three and those of the data. */
const bodyWith = (count: number) => {
  const items = Array.from({ length: Math.floor((count - 3) / VALUES_OF_ALL) }, () => values.join(', '));
  const rest = Array.from({ length: (count - 3) % VALUES_OF_ALL }, () => '[]');
  return `{"type": "token", "data": [${[...items, ...rest].join(' ,\n')}]}`;
};

test('a body holds at most 100,000 values: the largest number is accepted', async () => {
  expect((await server.call('POST', '/tokens', { raw: bodyWith(LIMITS.bodyValues) })).status).toBe(201);
});

test.each(['/tokens', '/tokenize', '/detokenize', '/tokens/search'])(
  'a body holds at most 100,000 values: one more is 400: %s',
  async (path) => {
    const raw = bodyWith(LIMITS.bodyValues + 1);
    const { status, body } = await server.call('POST', path, { raw });
    expect([status, body.errors]).toEqual([400, { body: ['must not hold more than 100000 values'] }]);
  },
);

const long = 'x'.repeat(3_000_000);
const many = Array.from({ length: 60_000 }, () => 1);
const tooLong = 'with the patch, must be at most 5242880 bytes of JSON';

test.each([
  ['data', long, tooLong],
  ['mask', long, tooLong],
  ['metadata', long, tooLong],
  ['data', many, 'with the patch, must not hold more than 100000 values'],
])('a merge patch makes nothing larger than a body may be: %s of a token', async (field, value, message) => {
  const { id } = await server.token({ type: 'token', data: {}, [field]: { a: value } });
  const { status, body } = await server.patch(`/tokens/${id}`, { [field]: { b: value } });
  expect([status, body.errors]).toEqual([400, { [field]: [message] }]);
  expect((await server.get(`/tokens/${id}`)).body.modified_at).toBeUndefined();
  expect((await server.patch(`/tokens/${id}`, { [field]: { a: null, b: value } })).status).toBe(200);
});

test.each([
  ['/reactors', { name: 'r', code: 'x' }],
  ['/proxies', { name: 'p', destination_url: 'http://127.0.0.1:1' }],
])('a merge patch makes nothing larger than a body may be: the configuration of %s', async (path, fields) => {
  const created = await server.post(path, { ...fields, configuration: { a: long } }, { as: 'management' });
  const patch = (configuration: object) =>
    server.patch(`${path}/${created.body.id}`, { configuration }, { as: 'management' });
  const { status, body } = await patch({ b: long });
  expect([status, body.errors]).toEqual([400, { configuration: [tooLong] }]);
  expect((await patch({ a: null, b: long })).status).toBe(204);
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

  test('application', async () => {
    const create = (name: string) =>
      server.post('/applications', { name, type: 'public', permissions: [] }, { as });
    expect((await create(long)).status).toBe(201);
    expect((await create(`${long}n`)).body.errors).toEqual({ name: ['must be at most 200 characters'] });
    expect((await create('')).status).toBe(400);
  });
});
