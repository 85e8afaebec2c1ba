import { describe, expect, test } from 'vitest';
import { UUID_PATTERN } from '../../../src/contract/uuid.js';
import { sendRequest } from '../../support/http-request.js';
import { sendBytes } from '../../support/raw-http.js';
import { controlOf, useServer } from '../../support/test-server.js';

const server = useServer();
const CARD = '4242424242424242';

describe('decisions.md, The common error body', () => {
  test.each([
    '01920b3c-5f5e-7a53-8f1c-1d2e3f405162',
    '4bf92f3577b34da6a3ce929d0e0e4736',
    'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1',
    '7277407061855694839',
    'order:42@shop',
    'checkout {7}, "second try"',
    'x'.repeat(128),
  ])('the trace id %s is echoed', async (id) => {
    const { headers } = await server.get('/permissions', { headers: { 'SVC-TRACE-ID': id } });
    expect(headers.get('svc-trace-id')).toBe(id);
  });

  test.each([
    ['control characters of a terminal', '\u009b31mred'],
    ['more than 128 characters', 'x'.repeat(129)],
    ['a card number', `order-${CARD}`],
    ['a card number in groups', '4242-4242-4242-4242'],
    ['a card number with spaces', 'order 4242 4242 4242 4242'],
  ])('a trace id with %s is replaced, in events and requests too', async (_what, id) => {
    const headers = { 'SVC-API-KEY': server.emulator.keys.private, 'SVC-TRACE-ID': id };
    const answer = await sendRequest(server.emulator.url, 'GET', '/nothing', headers);
    expect(answer.headers['svc-trace-id']).toMatch(new RegExp(`^${UUID_PATTERN}$`));
    const { body } = await controlOf(server).get('/requests');
    expect(JSON.stringify(body)).toContain(answer.headers['svc-trace-id']);
    expect(JSON.stringify(body)).not.toContain(id);
  });

  test.each(['/_emulator/%E0%A4%A', '/_emulator/ui/%zz', '/proxy/%zz'])(
    '%s is not percent-encoding: 400 without an API key, which other paths there do not need',
    async (path) => {
      const { status, body } = await sendRequest(server.emulator.url, 'GET', path, {});
      expect([status, body.detail]).toEqual([400, 'The path is not valid percent-encoding.']);
    },
  );

  test.each([
    ['a path that is not percent-encoding', '/tokens/%zz', 400],
    ['an unknown path', '/tokens/a/b', 404],
    ['a path with an empty segment', '/tokens//', 404],
    ['an id with an encoded slash', '/tokens/..%2f..%2fetc', 404],
    ['an id with a backslash', '/tokens/..%5c..%5cstate.json', 404],
    ['a very long id', `/tokens/${'x'.repeat(8_000)}`, 404],
  ])('%s', async (_what, path, status) => {
    const answer = await sendRequest(server.emulator.url, 'GET', path, {
      'SVC-API-KEY': server.emulator.keys.private,
    });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ status, instance: answer.headers['svc-trace-id'] });
  });

  test.each([
    ['what is no HTTP', 'HELLO\r\n\r\n', 400],
    ['headers too large', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s', async (_what, bytes, status) => {
    const [head = '', body = ''] = (await sendBytes(server.emulator.url, bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain('svc-trace-id: ');
    expect(JSON.parse(body)).toMatchObject({ status, instance: expect.any(String) });
  });

  test.each([
    ['broken JSON', `{"number": ${CARD}`, 'must be valid JSON'],
    ['an empty body', '', 'is required, JSON'],
    [
      '__proto__',
      `{"type":"token","data":{"__proto__":{"number":"${CARD}"}}}`,
      'must not use the name __proto__',
    ],
    [
      '__proto__ with an escaped letter',
      '{"type":"token","data":{"\\u005F_proto__":1}}',
      'must not use the name __proto__',
    ],
    [
      'deep nesting',
      `{"type":"token","data":${'['.repeat(300)}${']'.repeat(300)}}`,
      'must not nest deeper than 200 levels',
    ],
    [
      'a number that would be read back as null',
      '{"type":"token","data":{"n":[1e0,-1e400]}}',
      'must not hold a number beyond 1.7976931348623157e+308',
    ],
    [
      'one of many digits',
      `{"type":"token","data":${'9'.repeat(310)}}`,
      'must not hold a number beyond 1.7976931348623157e+308',
    ],
  ])('%s is 400 and quotes nothing', async (_what, raw, message) => {
    const { status, body } = await server.call('POST', '/tokens', { raw });
    expect(status).toBe(400);
    expect(body.errors.body).toEqual([message]);
    expect(JSON.stringify(body)).not.toContain(CARD);
  });
});
