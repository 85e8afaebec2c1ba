import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../emulator/expressions/index.js';
import { mergePatch } from '../../../../emulator/operations/json-body.js';
import { useServer } from '../../../support/test-server.js';

const server = useServer();
const reveal = async (id: string) => (await server.get(`/tokens/${id}`)).body;
const FINGERPRINT = { fingerprint_expression: 'x{{ data }}' };

// Data, metadata and containers: fixtures/http/tokens-update.http; any JSON: below.
it.each<[string, object, object, object]>([
  [
    'mask merges',
    { data: { a: 1 }, mask: { a: '{{ data.a }}', b: 'x' } },
    { mask: { b: null, c: 'y' } },
    { mask: { a: '{{ data.a }}', c: 'y' } },
  ],
  [
    'search_indexes are replaced',
    { search_indexes: ['a', 'b'] },
    { search_indexes: ['c'] },
    { search_indexes: ['c'] },
  ],
  ['fingerprint_expression is replaced', {}, FINGERPRINT, FINGERPRINT],
])('data, mask and metadata are merged (RFC 7386): %s', async (_name, created, patch, expected) => {
  const { id } = await server.token({ type: 'token', data: 1, ...created });
  expect((await server.patch(`/tokens/${id}`, patch)).status).toBe(200);
  expect(await reveal(id)).toMatchObject(expected);
  const [key = ''] = Object.keys(expected);
  expect((await reveal(id))[key]).toEqual(expected[key as keyof typeof expected]);
});

it.each(['metadata', 'mask', 'search_indexes', 'expires_at'])(
  'data, mask and metadata are merged (RFC 7386): %s: null removes the value',
  async (property) => {
    const { id } = await server.token({
      type: 'card_number',
      data: '4242424242424242',
      metadata: { a: 'b' },
      mask: 'x',
      search_indexes: ['{{ data }}'],
      expires_at: '1/1/2098',
    });
    const { body } = await server.patch(`/tokens/${id}`, { [property]: null });
    expect(body).not.toHaveProperty(property);
    expect(await reveal(id)).not.toHaveProperty(property);
  },
);

const card = { number: '4242424242424242', expiration_month: 3 };

it.each<[string, unknown, string]>([
  ['data of the wrong type', { data: 'x' }, 'data'],
  ['a required field removed', { data: { number: null } }, 'data.number'],
  ['an invalid field', { data: { expiration_month: 13 } }, 'data.expiration_month'],
  ['an unknown field of the data', { data: { brand: 'x' } }, 'data.brand'],
  ['a mask that fails with the data', { mask: { number: '{{ data | reveal_last: 4 }}' } }, 'mask.number'],
  ['a mask of bad syntax', { mask: '{{ data' }, 'mask'],
  ['a bad index', { search_indexes: ['{{ x }}'] }, 'search_indexes.0'],
  ['a bad fingerprint expression', { fingerprint_expression: '{{ data.cvc }}' }, 'fingerprint_expression'],
  ['a past expiration', { expires_at: '1/1/2001' }, 'expires_at'],
  ['no container', { containers: [] }, 'containers'],
  ['a body that is not an object', ['data'], 'body'],
])('the merged result is validated, and nothing changes if it is invalid: %s', async (_name, patch, path) => {
  const { id } = await server.token({ type: 'card', data: card });
  const before = await reveal(id);
  const { status, body } = await server.patch(`/tokens/${id}`, patch);
  expect([status, Object.keys(body.errors)]).toEqual([400, [path]]);
  expect(await reveal(id)).toEqual(before);
});

it('the response shows masked data; mask, fingerprint and indexes are evaluated again', async () => {
  const created = await server.token({
    type: 'card_number',
    data: '4242424242424242',
    search_indexes: ['{{ data }}'],
  });
  const { body } = await server.patch(`/tokens/${created.id}`, { data: '378282246310005' });
  expect(body.data).toBe('XXXXXXXXXXX0005');
  expect(body.fingerprint).not.toBe(created.fingerprint);
  const found = async (query: string) => (await server.post('/tokens/search', { query })).body.data.length;
  expect(await found(`data:378282246310005 AND id:${created.id}`)).toBe(1);
  expect(await found(`data:4242424242424242 AND id:${created.id}`)).toBe(0);
});

it('a patch that changes nothing still sets modified_at and modified_by', async () => {
  const created = await server.token({ type: 'token', data: 1 });
  expect(created).not.toHaveProperty('modified_at');
  const { body } = await server.patch(`/tokens/${created.id}`, {});
  expect(body).toEqual({ ...created, modified_at: expect.any(String), modified_by: created.created_by });
});

it('concurrent patches are all applied', async () => {
  const { id } = await server.token({ type: 'token', data: {} });
  const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
  await Promise.all(keys.map((key) => server.patch(`/tokens/${id}`, { data: { [key]: 1 } })));
  expect(Object.keys((await reveal(id)).data).sort()).toEqual(keys.sort());
});

describe('changing containers needs token:update on the old and the new ones', () => {
  const patchWith = async (containers: string[]) => {
    const { id } = await server.token({ type: 'token', data: 1, containers: ['/granted/', '/other/'] });
    const rule = { description: 'x', priority: 1, container: '/granted/', transform: 'mask' };
    const key = await server.application({ rules: [{ ...rule, permissions: ['token:update'] }] });
    return server.patch(`/tokens/${id}`, { containers }, { key });
  };

  it.each([
    ['a new one is not granted', ['/granted/', '/other/', '/third/']],
    ['an old one is not granted', ['/granted/']],
    ['a repeated one stands in for an old one', ['/granted/', '/granted/']],
  ])('403 if %s', async (_case, containers) => {
    expect((await patchWith(containers)).status).toBe(403);
  });

  it('containers that stay the same, in any order and case, need it on one', async () => {
    const { status, body } = await patchWith(['/Other/', '/granted/']);
    expect([status, body.containers.toSorted()]).toEqual([200, ['/granted/', '/other/']]);
  });
});

describe('decisions.md, Merge patch: who sees data in the response', () => {
  const rule = (container: string, transform: string, ...permissions: string[]) => ({
    description: container,
    priority: 1,
    container,
    transform,
    permissions,
  });

  it.each<[string, object, unknown]>([
    ['token:update alone', { permissions: ['token:update'] }, undefined],
    ['token:read with redact', { rules: [rule('/', 'redact', 'token:read', 'token:update')] }, undefined],
    ['token:read with mask', { permissions: ['token:read', 'token:update'] }, 'secret'],
    ['token:read with reveal', { rules: [rule('/', 'reveal', 'token:read', 'token:update')] }, 'secret'],
  ])('%s', async (_access, access, expected) => {
    const { id } = await server.token({ type: 'token', data: 'secret', mask: 'hidden' });
    const key = await server.application(access);
    const { status, body } = await server.patch(`/tokens/${id}`, { mask: '{{ data }}' }, { key });
    expect([status, body.data]).toEqual([200, expected]);
  });

  it('a move to a container that the caller may read does not reveal data of the old container', async () => {
    const { id } = await server.token({ type: 'token', data: 'secret', containers: ['/a/'], mask: 'hidden' });
    const key = await server.application({
      rules: [
        rule('/a/', 'mask', 'token:update'),
        { ...rule('/b/', 'mask', 'token:read', 'token:update'), priority: 2 },
      ],
    });
    const patch = { containers: ['/b/'], mask: '{{ data }}' };
    const { status, body } = await server.patch(`/tokens/${id}`, patch, { key });
    expect([status, body.data]).toEqual([200, undefined]);
  });

  it('the original that the token would duplicate shows no data to a caller with redact', async () => {
    const body = { type: 'token', mask: '{{ data }}' };
    const original = await server.token({ ...body, data: 'redacted original' });
    const { id } = await server.token({ ...body, data: 'another' });
    const key = await server.application({ rules: [rule('/', 'redact', 'token:read', 'token:update')] });
    const patch = { data: 'redacted original', deduplicate_token: true };
    const answer = await server.patch(`/tokens/${id}`, patch, { key });
    expect([answer.status, answer.body.id, answer.body.data]).toEqual([200, original.id, undefined]);
  });
});

it.each<[Json, Json, Json]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('RFC 7386, appendix A: %j patched with %j is %j', (target, patch, result) => {
  const before = JSON.stringify([target, patch]);
  expect(mergePatch(target, patch)).toEqual(result);
  expect(JSON.stringify([target, patch])).toBe(before);
});

it('property names that mean something to JavaScript are plain properties', () => {
  const patch = JSON.parse(
    '{ "__proto__": { "a": 1 }, "constructor": 2, "hasOwnProperty": null, "z": 3 }',
  ) as Json;
  const result = mergePatch({ hasOwnProperty: 1, toString: 4 }, patch);
  expect(JSON.stringify(result)).toBe('{"toString":4,"__proto__":{"a":1},"constructor":2,"z":3}');
});

it('a patch without null and arrays is found in the result; patching twice changes nothing more', () => {
  const json = fc.jsonValue() as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(json, json, (target, patch) => {
      const once = mergePatch(target, patch);
      expect(mergePatch(once, patch)).toEqual(once);
    }),
  );
});

const CARD = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };

const createMaskingKey = () => server.application({ permissions: ['token:read'] });

it('a token that was read shows what a patch changed, in its data and its mask', async () => {
  const key = await createMaskingKey();
  const { id } = await server.token({ type: 'card', data: CARD });
  const read = async () => (await server.get(`/tokens/${id}`, { key })).body.data;
  expect(await read()).toEqual({ number: 'XXXXXXXXXXXX4242', expiration_month: 12, expiration_year: 2030 });
  await server.patch(`/tokens/${id}`, { data: { expiration_month: 1 } });
  expect(await read()).toEqual({ number: 'XXXXXXXXXXXX4242', expiration_month: 1, expiration_year: 2030 });
  await server.patch(`/tokens/${id}`, { mask: '{{ data.number | last4 }}' });
  expect(await read()).toBe('4242');
});

it('a mask whose value changes is evaluated on every read', async () => {
  const key = await createMaskingKey();
  const mask = '{{ data | alias_preserve_format }}';
  const { id } = await server.token({ type: 'card_number', data: CARD.number, mask });
  const values = new Set<string>();
  for (let read = 0; read < 5; read += 1) values.add((await server.get(`/tokens/${id}`, { key })).body.data);
  expect(values.size).toBeGreaterThan(1);
});
