import { CompactEncrypt, importSPKI } from 'jose';
import { describe, expect, test } from 'vitest';
import { useServer } from '../../../support/test-server.js';

const server = useServer();
const lenient = useServer({ lenient: true });

async function createKey(body: object = {}): Promise<{ key_id: string; public_key_pem: string }> {
  const answer = await server.post('/keys', body, { as: 'public' });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

async function encrypt(pem: string, kid: string, data: unknown, more: object = {}): Promise<string> {
  const text = new TextEncoder().encode(typeof data === 'string' ? data : JSON.stringify(data));
  const header = { alg: 'RSA-OAEP-256', enc: 'A256GCM', kid, ...more };
  return new CompactEncrypt(text).setProtectedHeader(header).encrypt(await importSPKI(pem, header.alg));
}

async function encrypted(data: unknown): Promise<string> {
  const { key_id, public_key_pem } = await createKey();
  return encrypt(public_key_pem, key_id, data);
}

const CARD = { number: '4242424242424242', expiration_month: 12, expiration_year: 2090 };

describe('decisions.md, The family as it is today: client-side encryption', () => {
  test('encrypted data stands wherever data may stand', async () => {
    const { body: intent } = await server.post(
      '/token-intents',
      { type: 'card', encrypted: await encrypted(CARD) },
      { as: 'public' },
    );
    expect(intent.card.last4).toBe('4242');
    const { body: card } = await server.post('/tokens', { token_intent_id: intent.id });
    const use = async (id: string) => (await server.post('/detokenize', `{{ ${id} }}`)).body;
    expect(await use(card.id)).toEqual(CARD);

    await server.post('/tokens', { id: 'one', type: 'token', encrypted: await encrypted({ a: 1, b: 2 }) });
    expect(await use('one')).toEqual({ a: 1, b: 2 });
    await server.patch('/tokens/one', { encrypted: await encrypted({ b: null, c: 3 }) });
    expect(await use('one')).toEqual({ a: 1, c: 3 });

    const both = await server.patch('/tokens/one', { data: 1, encrypted: await encrypted(1) });
    expect([both.status, Object.keys(both.body.errors)]).toEqual([400, ['encrypted']]);

    const number = await server.post('/tokens', { type: 'token', encrypted: 5 });
    expect([number.status, number.body.errors]).toEqual([400, { encrypted: ['must be a string'] }]);

    const part = { type: 'token', encrypted: await encrypted('"part"') };
    const other = { type: 'note', encrypted: 'of another kind' };
    const { body: document } = await server.post('/tokenize', { part, other });
    expect(await use(document.part.id)).toBe('part');
    expect(await use(document.other.encrypted)).toBe('of another kind');
  });

  test('with --lenient, months and years may be strings, of cards only', async () => {
    const { key_id, public_key_pem } = (await lenient.post('/keys', {})).body;
    const data = { ...CARD, expiration_month: '12', expiration_year: '2090' };
    const stored = async (type: string) => {
      const jwe = await encrypt(public_key_pem, key_id, data);
      const { body } = await lenient.post('/tokens', { type, encrypted: jwe });
      return (await lenient.get(`/tokens/${body.id}`)).body.data;
    };
    expect(await stored('card')).toMatchObject({ expiration_month: 12, expiration_year: 2090 });
    expect(await stored('token')).toEqual(data);
  });

  test('a key that has expired, was deleted or is another one is 422', async () => {
    const [key, other] = [await createKey(), await createKey()];
    const create = async (jwe: string) => server.post('/tokens', { type: 'token', encrypted: jwe });
    const wrong = await create(await encrypt(other.public_key_pem, key.key_id, 1));
    expect([wrong.status, wrong.body.title]).toEqual([422, 'Undecryptable Data']);
    const jwe = await encrypt(key.public_key_pem, key.key_id, 1);
    expect((await create(jwe)).status).toBe(201);
    await server.emulator.clock.advance(86_400_000 + 120_000);
    const expired = await create(jwe);
    expect(expired.status).toBe(422);
    expect(expired.body.detail).toContain(`The key ${key.key_id} of \`encrypted\` expired at `);
    expect((await server.get(`/keys/${key.key_id}`)).status).toBe(404);
    expect((await server.get('/keys')).body).toEqual([]);
    await server.emulator.clock.advance(86_400_000);
    expect((await create(jwe)).body.detail).toBe(
      'There is no key with the id that `encrypted` has as its kid.',
    );
    const kept = await createKey();
    await server.delete(`/keys/${kept.key_id}`);
    expect((await create(await encrypt(kept.public_key_pem, kept.key_id, 1))).status).toBe(422);
  });

  test.each<[string, (pem: string, id: string) => Promise<string>]>([
    ['another algorithm', (pem, id) => encrypt(pem, id, 1, { enc: 'A128GCM' })],
    ['another hash', (pem, id) => encrypt(pem, id, 1, { alg: 'RSA-OAEP' })],
    ['compressed data', (pem, id) => encrypt(pem, id, 1, { zip: 'DEF' })],
    ['no JSON', (pem, id) => encrypt(pem, id, 'no JSON')],
    ['null', (pem, id) => encrypt(pem, id, null)],
    ['a forbidden name', (pem, id) => encrypt(pem, id, '{"__proto__":1}')],
    ['no JWE', async () => 'a.b'],
  ])('%s is 400 on encrypted', async (_what, create) => {
    const { public_key_pem, key_id } = await createKey();
    const answer = await server.post('/tokens', {
      type: 'token',
      encrypted: await create(public_key_pem, key_id),
    });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['encrypted']]);
  });

  test('data of a wrong shape is an error of data, and no message repeats it', async () => {
    const jwe = await encrypted({ number: '4242424242424241' });
    const answer = await server.post('/tokens', { type: 'card', encrypted: jwe });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['data.number']]);
    expect(JSON.stringify([answer.body.detail, answer.body.errors])).not.toContain('424242');
  });
});
