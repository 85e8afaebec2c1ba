import { base58 } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeFingerprint } from '../../../../emulator/operations/tokens/evaluate-token.js';
import { useServer } from '../../../support/test-server.js';

const server = useServer();

async function settings(fingerprint: boolean, deduplicate: boolean): Promise<void> {
  const values = { fingerprint_tokens: String(fingerprint), deduplicate_tokens: String(deduplicate) };
  const { status } = await server.put('/tenants/self', { name: 't', settings: values }, { as: 'management' });
  expect(status).toBe(200);
}

const fingerprint = async (body: object) =>
  (await server.token({ type: 'token', ...body })).fingerprint as string | undefined;

describe('the fingerprint', () => {
  it('is an HMAC-SHA-256 over tenant, type and value', () => {
    // Computed with: printf '%s' '["6f0e…","card","4242424242424242"]' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…
    const expected = 'cfe0b9cc79e3b244458dd8b35d29b517464ba350f3252c9a0b3ec06e46acb0a7';
    const key = Buffer.alloc(32, 7).toString('base64');
    const made = computeFingerprint(key, '6f0ec1f1-4f5c-4e4e-9f0e-0d6c2a7f1b11', 'card', '4242424242424242');
    expect(Buffer.from(base58.decode(made)).toString('hex')).toBe(expected);
  });

  it('is base58 of 32 to 44 characters, equal for equal data whatever the order of its keys', async () => {
    const first = await fingerprint({ data: { a: 1, b: [{ c: 2, d: 3 }] } });
    expect(first).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    expect(await fingerprint({ data: { b: [{ d: 3, c: 2 }], a: 1 } })).toBe(first);
    expect(await fingerprint({ data: { a: 1, b: [{ c: 2, d: 4 }] } })).not.toBe(first);
  });

  it('is computed from the evaluated expression, which may use metadata', async () => {
    const fingerprint_expression = '{{ data.a }}-{{ metadata.m }}';
    const of = (b: number, m: string) =>
      fingerprint({ data: { a: 1, b }, metadata: { m }, fingerprint_expression });
    const first = await of(2, 'x');
    expect(await of(3, 'x')).toBe(first);
    expect(await of(2, 'y')).not.toBe(first);
  });

  it.each(['{{ metadata.m }}', '{{ [data.a].m }}', '{{ ["meta\\u0064ata"].m }}'])(
    'reads metadata however the expression %s names it',
    async (expression) => {
      const of = (m: string) =>
        fingerprint({ data: { a: 'metadata' }, metadata: { m }, fingerprint_expression: expression });
      expect(await of('x')).not.toBe(await of('y'));
    },
  );

  it('is absent, like its expression, if neither the tenant nor the request asks for it', async () => {
    await settings(false, false);
    const plain = await server.token({ type: 'token', data: 'plain' });
    expect(plain).not.toHaveProperty('fingerprint');
    expect(plain).not.toHaveProperty('fingerprint_expression');
    expect(await fingerprint({ data: 'asked', fingerprint_expression: '{{ data }}' })).toBeTypeOf('string');
    expect(await fingerprint({ data: 'deduplicated', deduplicate_token: true })).toBeTypeOf('string');
    await settings(true, false);
  });
});

it('deduplicate_token takes precedence over the setting of the tenant', async () => {
  await settings(true, true);
  const create = (body: object) => server.post('/tokens', { type: 'token', data: 'beats', ...body });
  const [first] = [await create({})];
  expect((await create({})).status).toBe(200);
  expect((await create({ deduplicate_token: null })).body.id).toBe(first?.body.id);
  expect((await create({ deduplicate_token: false })).status).toBe(201);
  await settings(true, false);
  expect((await create({})).status).toBe(201);
  expect((await create({ deduplicate_token: true })).status).toBe(200);
});

it.each(['redact', 'mask', 'reveal'])('with token:read and %s, the data is masked', async (transform) => {
  const data = `seen-${transform}`;
  const body = { type: 'token', data, mask: '{{ data | last4 }}', deduplicate_token: true };
  await server.token(body);
  const rules = [{ priority: 1, container: '/', transform, permissions: ['token:create', 'token:read'] }];
  const answer = await server.post('/tokens', body, { key: await server.application({ rules }) });
  expect([answer.status, answer.body.data]).toEqual([200, data.slice(-4)]);
});

it('a taken literal id is 409 before duplicates are searched', async () => {
  const body = { type: 'token', data: 'same', id: 'literal-1' };
  await server.token(body);
  expect((await server.post('/tokens', { ...body, deduplicate_token: true })).status).toBe(409);
});

it('an expired or deleted token does not count as a duplicate', async () => {
  const soon = new Date(server.emulator.clock.now() + 1_000).toISOString();
  const body = { type: 'token', data: 'expiring', deduplicate_token: true };
  await server.token({ ...body, expires_at: soon });
  await server.emulator.clock.advance(2_000);
  const second = await server.post('/tokens', body);
  expect(second.status).toBe(201);
  await server.delete(`/tokens/${second.body.id}`);
  expect((await server.post('/tokens', body)).status).toBe(201);
});

it('of concurrent equal updates one is applied', async () => {
  const ids = await Promise.all(
    [1, 2, 3, 4].map(async (n) => (await server.token({ type: 'token', data: `t-${n}` })).id),
  );
  const patch = { data: 't-same', deduplicate_token: true };
  const answers = await Promise.all(ids.map((id) => server.patch(`/tokens/${id}`, patch)));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  const query = `fingerprint:${answers[0]?.body.fingerprint}`;
  expect((await server.post('/tokens/search', { query })).body.pagination.total_items).toBe(1);
});

describe('with equal siblings', () => {
  const twice = async (body: object) => [(await server.token(body)).id, (await server.token(body)).id];

  it('a fingerprint that appears because of the setting of the tenant is not a change of the patch', async () => {
    await settings(false, false);
    const ids = await twice({ type: 'token', data: 'q-same' });
    await settings(false, true);
    for (const id of ids) {
      const { body } = await server.patch(`/tokens/${id}`, { metadata: { a: 'b' } });
      expect(body).toMatchObject({ id, metadata: { a: 'b' }, fingerprint: expect.any(String) });
    }
    await settings(true, false);
  });

  it('a cvc that has expired changes the fingerprint, but is not a change of the patch', async () => {
    const data = { number: '4242424242424242', cvc: '123' };
    const ids = await twice({ type: 'card', data });
    await server.emulator.clock.advance(3_600_001);
    for (const id of ids) {
      const { body } = await server.patch(`/tokens/${id}`, { metadata: { a: 'b' }, deduplicate_token: true });
      expect(body).toMatchObject({ id, metadata: { a: 'b' } });
    }
  });

  it('the stored copy answers a part of /tokenize, not an equal part before it', async () => {
    const first = await server.token({ type: 'token', data: 'tokenize-same' });
    const part = { type: 'token', data: 'tokenize-same' };
    const parts = [part, { ...part, deduplicate_token: true }];
    const { body } = await server.post('/tokenize', parts);
    expect(body[0].id).not.toBe(first.id);
    expect(body[1].id).toBe(first.id);
  });

  interface Copy {
    id: string;
    value: string;
    note: string;
  }
  interface Step {
    /** Index of the token to patch; undefined creates one. */
    patch: number | undefined;
    data: string | undefined;
    note: string;
    deduplicate: boolean;
  }
  const value = fc.constantFrom('v-1', 'v-2');
  const step: fc.Arbitrary<Step> = fc.record({
    patch: fc.option(fc.nat(5), { nil: undefined }),
    data: fc.option(value, { nil: undefined }),
    note: fc.constantFrom('x', 'y'),
    deduplicate: fc.boolean(),
  });

  it('of copies that were created at the same time, the first answers', async () => {
    await server.emulator.clock.freeze();
    try {
      for (let run = 0; run < 5; run += 1) {
        const data = `same-time-${run}`;
        const first = await server.token({ type: 'token', data });
        const second = await server.token({ type: 'token', data, deduplicate_token: false });
        expect(second.created_at).toBe(first.created_at);
        const { body } = await server.post('/tokens', { type: 'token', data, deduplicate_token: true });
        expect(body.id).toBe(first.id);
        const other = await server.token({ type: 'token', data: `other-${run}` });
        const patch = await server.patch(`/tokens/${other.id}`, { data, deduplicate_token: true });
        expect(patch.body.id).toBe(first.id);
      }
    } finally {
      await server.emulator.clock.resume();
    }
  });

  it('the oldest copy answers, and only a changed fingerprint looks for one', async () => {
    let run = 0;
    const history = async (steps: readonly Step[]) => {
      const prefix = `property-${run++}-`;
      const copies: Copy[] = [];
      const oldest = (data: string, except?: Copy) =>
        copies.find((copy) => copy !== except && copy.value === data);
      for (const { patch, data, note, deduplicate } of steps) {
        await server.emulator.clock.advance(1);
        const target = patch === undefined ? undefined : copies[patch % Math.max(copies.length, 1)];
        const fields = { metadata: { note }, deduplicate_token: deduplicate };
        if (target === undefined) {
          const wanted = data ?? 'v-1';
          const existing = deduplicate ? oldest(wanted) : undefined;
          const request = { type: 'token', data: prefix + wanted, ...fields };
          const { status, body } = await server.post('/tokens', request);
          expect([status, body.id]).toEqual(existing ? [200, existing.id] : [201, body.id]);
          if (!existing) copies.push({ id: body.id, value: wanted, note });
        } else {
          const changes = data !== undefined && data !== target.value;
          const existing = deduplicate && changes ? oldest(data, target) : undefined;
          const request = { ...fields, ...(data !== undefined && { data: prefix + data }) };
          const { body } = await server.patch(`/tokens/${target.id}`, request);
          expect(body.id).toBe((existing ?? target).id);
          if (!existing) Object.assign(target, { note, ...(data !== undefined && { value: data }) });
        }
      }
      for (const copy of copies) {
        const { body } = await server.get(`/tokens/${copy.id}`);
        expect(body).toMatchObject({ data: prefix + copy.value, metadata: { note: copy.note } });
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 12 }), history), { numRuns: 40 });
  });
});

describe('decisions.md, The family as it is today: deduplication', () => {
  const server = useServer({ lenient: true });
  it('says whether a token is one that there was, which update_existing changes', async () => {
    const put = (settings: object) =>
      server.put('/tenants/self', { name: 't', settings }, { as: 'management' });
    await put({ deduplicate_tokens: 'true' });
    const create = (data: object, more: object = {}) =>
      server.post('/tokens', { type: 'token', data, fingerprint_expression: '{{ data.id }}', ...more });
    const first = await create({ id: 'd-1', name: 'a' }, { privacy: { classification: 'pii' } });
    expect(first.body).toMatchObject({ _extras: { deduplicated: false }, containers: ['/pii/high/'] });
    const { id } = first.body;
    const nameOf = async () => (await server.get(`/tokens/${id}`)).body.data.name;

    const read = await create({ id: 'd-1', name: 'b' });
    const _extras = { deduplicated: true, deduplication_behavior: 'read_existing' };
    expect([read.status, read.body.id, read.body._extras]).toEqual([200, id, _extras]);
    expect(await nameOf()).toBe('a');

    await put({ token_deduplication_behavior: 'update_existing' });
    const updated = await create({ id: 'd-1', name: 'c' }, { mask: '{{ data.name }}' });
    expect([updated.status, updated.body.id, updated.body.data]).toEqual([200, id, 'c']);
    expect(updated.body).toMatchObject({ containers: ['/pii/high/'], created_at: first.body.created_at });
    expect(await nameOf()).toBe('c');
  });

  it('goes without ephemeral proxies if the tenant disables them', async () => {
    const values = { disable_ephemeral_proxy: 'true' };
    await server.put('/tenants/self', { name: 'test', settings: values }, { as: 'management' });
    const headers = { 'svc-api-key': server.emulator.keys.private, 'svc-proxy-url': 'http://127.0.0.1:9' };
    expect((await fetch(`${server.emulator.url}/proxy`, { headers })).status).toBe(403);
  });
});
