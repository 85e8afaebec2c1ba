import { describe, expect, it } from 'vitest';
import { refusal, useServer } from '../../../support/test-server.js';

const server = useServer();
const NULLS = Object.fromEntries(
  'id containers metadata search_indexes fingerprint_expression deduplicate_token expires_at'
    .split(' ')
    .map((name) => [name, null]),
);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('POST /tokens', () => {
  it('numbers are doubles: an integer beyond 2^53 loses digits, as docs/fidelity.md says, and a string keeps them', async () => {
    const raw = '{"type":"token","data":{"number":9007199254740993,"text":"9007199254740993"}}';
    const { body } = await server.call('POST', '/tokens', { raw });
    const stored = await server.get(`/tokens/${body.id}`);
    expect(stored.body.data).toEqual({ number: 2 ** 53, text: '9007199254740993' });
  });

  it.each([
    [
      'mask: null is the default of the type',
      { type: 'card_number', data: '4242424242424242', mask: null },
      { data: 'XXXXXXXXXXXX4242' },
    ],
    ['optional fields may be null', { type: 'token', data: 1, ...NULLS }, {}],
    ['mask: a primitive', { type: 'token', data: 1, mask: 7 }, { data: 7, mask: 7 }],
    ['mask: an array', { type: 'token', data: 'abc', mask: ['{{ data | last4 }}', 1] }, { data: ['abc', 1] }],
    ['containers: the root', { type: 'token', data: 1, containers: ['/'] }, { containers: ['/'] }],
    [
      'containers: each once',
      { type: 'token', data: 1, containers: ['/a/', '/A/', '/b/'] },
      { containers: ['/a/', '/b/'] },
    ],
  ])('%s', async (_name, body, expected) => expect(await server.token(body)).toMatchObject(expected));

  it.each<[string, object, string]>([
    ['mask, bad syntax', { mask: { a: ['{{ data'] } }, 'mask.a.0'],
    ['mask, wrong input type', { mask: { a: '{{ data | reveal_last: 4 }}' } }, 'mask.a'],
    ['search index, bad syntax', { search_indexes: ['{{ data.a }}', '{{ data.'] }, 'search_indexes.1'],
    ['search index, unknown variable', { search_indexes: ['{{ metadata.a }}'] }, 'search_indexes.0'],
    ['search index, no string', { search_indexes: [5] }, 'search_indexes.0'],
    ['fingerprint expression, bad syntax', { fingerprint_expression: '{{ data |' }, 'fingerprint_expression'],
    [
      'fingerprint expression without a value',
      { fingerprint_expression: '{{ data.missing }}' },
      'fingerprint_expression',
    ],
    ['id, bad expression', { id: '{{ data | nope }}' }, 'id'],
    ['id, an expression that gives no id', { id: '{{ data.a }}/x' }, 'id'],
    ['id, too long', { id: 'a'.repeat(401) }, 'id'],
    ['containers, empty', { containers: [] }, 'containers'],
    ['containers, empty segment', { containers: ['/a//'] }, 'containers.0'],
    ['containers, other characters', { containers: ['/a b/'] }, 'containers.0'],
    ['metadata, no map', { metadata: ['a'] }, 'metadata'],
    ['expires_at, no date', { expires_at: 'tomorrow' }, 'expires_at'],
    ['deduplicate_token, no boolean', { deduplicate_token: 'true' }, 'deduplicate_token'],
  ])('400 names the property: %s', async (_name, part, path) => {
    expect(refusal(await server.post('/tokens', { type: 'token', data: { a: 'secret' }, ...part }))).toEqual([
      400,
      [path],
    ]);
  });

  it.each(['#', '/', '\\', '+', '?', '[', ']', '|', '&', '=', '%', '<', '>', '{', '}', '^'])(
    'an id without the character %s',
    async (character) => {
      expect(
        refusal(await server.post('/tokens', { type: 'token', data: 1, id: `abc${character}` })),
      ).toEqual([400, ['id']]);
    },
  );

  it.each(['abc', 'a'.repeat(400), "it's (an) id: 50$ é.x", '...'])('an id may be %s', async (id) => {
    expect(await server.token({ type: 'token', data: id, id, mask: '{{ data }}' })).toMatchObject({ id });
    const { body } = await server.get(
      `/tokens/${encodeURIComponent(id).replace(/^\.+$/, (dots) => dots.replaceAll('.', '%2E'))}`,
    );
    expect(body.id).toBe(id);
  });

  it('a taken literal id, or one from an expression that is not random, is 409', async () => {
    await server.token({ type: 'token', data: 'first', id: 'taken-1' });
    expect((await server.post('/tokens', { type: 'token', data: 'x', id: 'taken-1' })).status).toBe(409);
    expect((await server.post('/tokens', { type: 'token', data: 1, id: 'taken-{{ data }}' })).status).toBe(
      409,
    );
    expect((await server.get('/tokens/taken-1')).body.data).toBe('first');
  });

  it('of two concurrent creates of the same id one succeeds', async () => {
    const create = (data: number) => server.post('/tokens', { type: 'token', data, id: 'race-1' });
    const statuses = (await Promise.all([1, 2, 3, 4].map(create))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409, 409]);
  });

  it('a taken id from an alias expression is drawn again, and falls back to a UUID', async () => {
    const create = () =>
      server.token({ type: 'token', data: '7-x', id: '{{ data | alias_preserve_format: 0, 2 }}' });
    const ids = (await Promise.all(Array.from({ length: 15 }, create))).map(({ id }) => id as string);
    expect(new Set(ids).size).toBe(15);
    expect(ids.filter((id) => /^\d-x$/.test(id)).length).toBeGreaterThanOrEqual(5);
    expect(ids.filter((id) => UUID.test(id)).length).toBeGreaterThanOrEqual(5);
  });
});

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
const map = (count: number) => Object.fromEntries(names(count).map((name) => [name, 'x']));

it.each<[string, unknown, unknown]>([
  ['containers', names(64).map((name) => `/${name}/`), names(65).map((name) => `/${name}/`)],
  ['metadata', map(256), map(257)],
  ['search_indexes', names(64), names(65)],
])('the parts of a token are bounded: %s', async (field, most, tooMany) => {
  const { id } = await server.token({ type: 'token', data: 'x', [field]: most });
  const created = await server.post('/tokens', { type: 'token', data: 'x', [field]: tooMany });
  expect(refusal(created)).toEqual([400, [field]]);
  expect(refusal(await server.patch(`/tokens/${id}`, { [field]: tooMany }))).toEqual([400, [field]]);
});

it('the parts of a token are bounded: a patch may not merge metadata beyond the limit', async () => {
  const { id } = await server.token({ type: 'token', data: 'x', metadata: map(256) });
  expect(refusal(await server.patch(`/tokens/${id}`, { metadata: { more: 'x' } }))).toEqual([
    400,
    ['metadata'],
  ]);
});
