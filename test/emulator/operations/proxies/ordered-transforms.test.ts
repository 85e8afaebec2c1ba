import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { useHttpServer } from '../../../support/http-server.js';
import { useServer } from '../../../support/test-server.js';

const server = useServer();
const CARD = { number: '4242424242424242', expiration_month: 12, expiration_year: 2090 };

let received = '';
let onReceived = () => {};
let answer = '';
const destination = useHttpServer(async (request, response) => {
  received = (await buffer(request)).toString();
  onReceived();
  response.setHeader('content-type', 'application/json').end(answer);
});
beforeEach(() => {
  onReceived = () => {};
  answer = JSON.stringify({ card: CARD, note: 'cards 4242424242424242 and 4000056655665556' });
});

const as = 'management';
const configure = (transforms: object) => {
  const proxy = { name: 'ordered', destination_url: destination.url, ...transforms };
  return server.post('/proxies', proxy, { as });
};

async function send(transforms: object, body: object = {}) {
  const created = await configure(transforms);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { url, keys } = server.emulator;
  const headers = { 'svc-api-key': keys.private, 'svc-proxy-key': created.body.key };
  const request = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
  const response = await fetch(`${url}/proxy`, { ...request, body: JSON.stringify(body) });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on it.
  return { status: response.status, headers: response.headers, text, json: (): any => JSON.parse(text) };
}

const code = (body: string) => ({ type: 'code', code: `module.exports = async ({ args }) => (${body});` });
const tokenize = (identifier: string, token: object) => ({
  type: 'tokenize',
  options: { identifier, token },
});
const append = (type: string, value: string, location?: string) => ({ type, options: { value, location } });

describe('decisions.md, The family as it is today: ordered transforms of proxies', () => {
  test('code of a newer image gets an event, with permissions of its own', async () => {
    const newer = (text: string, permissions: string[] = []) => ({
      ...{ type: 'code', code: `module.exports = async ({ req, res, svc }) => (${text});` },
      options: { runtime: { image: 'node22', timeout: 10, permissions } },
    });
    answer = '{"ok":true}';
    const create = "(await svc.tokens.create({ type: 'token', data: req.body.secret })).id";
    const sent = await send(
      {
        request_transforms: [newer(`{ req: { body: { id: ${create}, by: req.method } } }`, ['token:create'])],
        response_transforms: [newer('{ res: { body: { ...res.body, was: res.statusCode } } }')],
      },
      { secret: 'ada' },
    );
    expect([sent.status, sent.json()]).toEqual([200, { ok: true, was: 200 }]);
    const { id, by } = JSON.parse(received);
    expect([by, (await server.get(`/tokens/${id}`)).body.data]).toEqual(['POST', 'ada']);
  });

  test('code that returns `res` for a request answers it in place of the destination', async () => {
    received = '';
    const { status, text, headers } = await send({
      request_transforms: [code("{ res: { statusCode: 202, headers: { 'x-by': 'code' }, body: { a: 1 } } }")],
    });
    expect([status, text, headers.get('x-by')]).toEqual([202, '{"a":1}', 'code']);
    expect(headers.get('svc-proxy-error')).toBe('true');
    expect(received).toBe('');
  });

  test('later transforms read what earlier ones of both directions have made', async () => {
    const sent = await send(
      {
        request_transforms: [
          tokenize('sent card', { type: 'card', data: '{{ req.card }}', mask: '{{ data.number | last4 }}' }),
          code('{ body: { last4: args.body.card.number.slice(-4) } }'),
          append('append_json', '{{ transform_identifier: "sent card" | json: "$.id" }}', '$.card.id'),
        ],
        response_transforms: [
          tokenize('__proto__', { type: 'card', data: { number: '{{ res.card.number }}' } }),
          { type: 'mask', matcher: 'chase_stratus_pan', replacement: '*' },
          append('append_json', "{{ transform_identifier: '__proto__' | json: '$.id' }}", '$.ids.received'),
          append('append_json', "{{ transform_identifier: 'sent card' }}", '$.ids.sent'),
          append('append_header', "{{ transform_identifier: '__proto__' | json: '$.type' }}!", 'X-Type'),
        ],
      },
      { card: CARD },
    );
    expect(sent.status, sent.text).toBe(200);
    const { ids, ...rest } = sent.json();
    expect(rest).toEqual({ card: { ...CARD, number: '*' }, note: 'cards * and *' });
    expect(sent.headers.get('x-type')).toBe('card!');
    expect(JSON.parse(received)).toEqual({ last4: '4242', card: { id: ids.sent.id } });
    expect(ids.sent.data).toBe('4242');
    const use = async (id: string) => (await server.post('/detokenize', `{{ ${id} }}`)).body;
    expect([await use(ids.sent.id), await use(ids.received)]).toEqual([CARD, { number: CARD.number }]);
  });

  test('a regular expression masks the text of a body; text is appended to it', async () => {
    answer = JSON.stringify({ a: 1, b: [12, 345] });
    const mask = { type: 'mask', matcher: 'regex', expression: '\\d{2,}', replacement: '"…"' };
    const { text } = await send({ response_transforms: [mask, append('append_text', '\n{{ res.a }}')] });
    expect(text).toBe('{"a":1,"b":["…","…"]}\n1');
  });

  test('tokens are created with the permissions of the application of the proxy', async () => {
    const own = { name: 'reader', type: 'private', permissions: ['token:read'] };
    const { id } = (await server.post('/applications', own, { as })).body;
    const transform = tokenize('x', { type: 'token', data: '{{ res }}' });
    const sent = await send({ application: { id }, response_transforms: [transform] });
    expect([sent.status, sent.json().detail]).toEqual([403, 'The key lacks the permission token:create.']);
  });

  test('a header of the connection that a transform sets is not sent to the client', async () => {
    const response_transforms = [append('append_header', 'chunked', 'Transfer-Encoding')];
    const sent = await send({ response_transforms });
    expect([sent.status, sent.json()]).toEqual([200, JSON.parse(answer)]);
  });

  test.each<[string, string, string]>([
    ['nests deeper', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, 'must not nest deeper than 200 levels'],
    ['has more values', `[${'1,'.repeat(100_000)}1]`, 'must not hold more than 100000 values'],
    ['is longer', `"${'x'.repeat(5_242_880)}"`, 'must be at most 5242880 bytes'],
  ])('a body that %s than that of a request cannot be read by expressions', async (_what, text, rule) => {
    answer = text;
    const literal = await send({ response_transforms: [append('append_text', '.')] });
    expect([literal.status, literal.text.length]).toEqual([200, text.length + 1]);
    const read = await send({ response_transforms: [append('append_text', '{{ res | size }}')] });
    expect([read.status, read.json().detail]).toEqual([500, `The body that a transform reads ${rule}.`]);
  });

  test('the code of a message has the time of one invocation', async () => {
    const now = performance.now.bind(performance);
    onReceived = () => vi.spyOn(performance, 'now').mockImplementation(() => now() + 31_000);
    onTestFinished(() => void vi.restoreAllMocks());
    const wait = code(`fetch(${JSON.stringify(destination.url)}).then(() => ({}))`);
    const sent = await send({ request_transforms: [wait, wait] });
    expect([sent.status, sent.json().detail]).toEqual([500, 'The reactor did not finish within 0 ms.']);
  });

  test('a list stays as it is, replaces another, and is removed by null', async () => {
    const request_transforms = [{ code: 'module.exports = () => ({})' }];
    const { id } = (await configure({ request_transforms })).body;
    const get = async () => (await server.get(`/proxies/${id}`, { as })).body;
    expect((await get()).request_transforms).toEqual(request_transforms);
    await server.patch(`/proxies/${id}`, { request_transforms: null, response_transforms: [] }, { as });
    const { request_transforms: none, response_transforms: empty } = await get();
    expect([none, empty]).toEqual([undefined, []]);
  });

  test.each<[string, object, string]>([
    ['a type that there is not', { type: 'sign' }, 'type'],
    ['no code', {}, 'code'],
    ['no expression', { type: 'mask', matcher: 'regex', replacement: '' }, 'expression'],
    [
      'no regular expression',
      { type: 'mask', matcher: 'regex', expression: '(', replacement: '' },
      'expression',
    ],
    ['no token', { type: 'tokenize' }, 'options.token'],
    ['no path of names', append('append_json', 'x', '$..a'), 'options.location'],
    ['a path of too many names', append('append_json', 'x', `$${'.a'.repeat(17)}`), 'options.location'],
    ['bad syntax', append('append_text', '{{ res. }}'), 'options.value'],
    ['a variable of the other direction', append('append_text', '{{ req.a }}'), 'options.value'],
  ])('%s is 400 on its property', async (_what, transform, property) => {
    const { status, body } = await configure({ response_transforms: [transform] });
    expect([status, Object.keys(body.errors)]).toEqual([400, [`response_transforms.0.${property}`]]);
  });
});
