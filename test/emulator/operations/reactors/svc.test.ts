import { expect, it } from 'vitest';
import { createApplication, createReactor, react, useServer } from '../../../support/test-server.js';

const server = useServer();
const ALL = ['token:create', 'token:read', 'token:update', 'token:delete', 'token:search', 'token:use'];

/** Runs a function body that has `svc` and `args`, as an application with these permissions. */
async function withSvc(body: string, args: unknown = {}, access: object = { permissions: ALL }) {
  const application = await createApplication(server, access);
  const code = `module.exports = async ({ args, svc }) => { ${body} };`;
  const id = await createReactor(server, code, { application: { id: application.id } });
  const answer = await react(server, id, args);
  return { ...answer, application, id };
}

it('svc offers tokens, tokenize, detokenize and reactors.react, and nothing else', async () => {
  const { body } = await withSvc(
    'return { raw: { svc: Object.keys(svc).sort(), tokens: Object.keys(svc.tokens).sort(), reactors: Object.keys(svc.reactors) } };',
  );
  expect(body.raw).toEqual({
    svc: ['detokenize', 'reactors', 'tokenize', 'tokens'],
    tokens: ['create', 'delete', 'get', 'list', 'search', 'update'],
    reactors: ['react'],
  });
});

it.each([
  ['snake_case', 'search_indexes', 'fingerprint_expression', 'deduplicate_token', 'expires_at'],
  ['camelCase', 'searchIndexes', 'fingerprintExpression', 'deduplicateToken', 'expiresAt'],
])('svc takes %s properties and returns the API object', async (style, ...names) => {
  const [indexes, fingerprint, deduplicate, expires] = names;
  const { body, application } = await withSvc(
    `const request = { type: 'token', data: { innerName: 1, inner_name: 2 }, metadata: { camelKey: 'v' },
         ${indexes}: ['{{ data.innerName }}'], ${fingerprint}: '${style}', ${deduplicate}: true, ${expires}: '1/1/2099' };
       const token = await svc.tokens.create(request);
       const again = await svc.tokens.create(request);
       return { raw: { token, same: again.id === token.id } };`,
  );
  expect(body.raw.same).toBe(true);
  expect(body.raw.token).toMatchObject({
    tenant_id: server.emulator.tenant_id,
    metadata: { camelKey: 'v' },
    search_indexes: ['{{ data.innerName }}'],
    fingerprint_expression: style,
    expires_at: '2099-01-01T00:00:00+00:00',
    created_by: application.id,
  });
  const stored = await server.post('/detokenize', `{{ ${body.raw.token.id} }}`);
  expect(stored.body).toEqual({ innerName: 1, inner_name: 2 });
});

it('svc creates, gets, updates, lists, searches and deletes tokens', async () => {
  const { status, body } = await withSvc(
    `const { id } = await svc.tokens.create({ type: 'token', data: 'first', mask: '{{ data }}', metadata: { group: 'G-1' }, search_indexes: ['{{ data }}'] });
       const read = await svc.tokens.get(id);
       const updated = await svc.tokens.update(id, { data: 'second', metadata: { step: '2' } });
       const listed = await svc.tokens.list({ metadata: { group: 'g-1' }, page: 1, size: 10 });
       const byId = await svc.tokens.list({ id: [id] });
       const found = await svc.tokens.search({ query: 'data:second', size: 5 });
       const gone = await svc.tokens.delete(id);
       let after = null;
       try { await svc.tokens.get(id); } catch (error) { after = error.status; }
       return { raw: {
         read: read.data, updated: updated.data, metadata: updated.metadata, listed: listed.data.length,
         pagination: listed.pagination, byId: byId.data.map((token) => token.id === id),
         found: found.data.length, gone, after,
       } };`,
  );
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.raw).toEqual({
    read: 'first',
    updated: 'second',
    metadata: { group: 'G-1', step: '2' },
    listed: 1,
    pagination: { total_items: 1, page_number: 1, page_size: 10, total_pages: 1 },
    byId: [true],
    found: 1,
    gone: null,
    after: 404,
  });
});

it('svc tokenizes and detokenizes any JSON, its property names untouched', async () => {
  const { body } = await withSvc(
    `const tokens = await svc.tokenize({ firstName: 'Ada', list: [1] });
       const back = await svc.detokenize({ firstName: '{{ ' + tokens.firstName + ' }}', text: 'n={{' + tokens.list[0] + '}}' });
       return { raw: { names: Object.keys(tokens), back } };`,
  );
  expect(body.raw).toEqual({ names: ['firstName', 'list'], back: { firstName: 'Ada', text: 'n=1' } });
});

it.each([
  ['nesting of 201 levels', 'let data = 1; for (let i = 0; i < 200; i++) data = [data];', 400, /nest/],
  ['nesting of 4,600 levels', 'let data = 1; for (let i = 0; i < 4600; i++) data = [data];', 400, /nest/],
  ['the name __proto__', 'const data = JSON.parse(\'{"a":{"__proto__":1}}\');', 400, /__proto__/],
  ['a body of more than 5 MB', "const data = 'x'.repeat(5242880);", 413, /5242880/],
])('svc refuses what a request body may not hold: %s', async (_what, prepare, status, message) => {
  const calls = [
    'svc.tokens.create({ type: "token", data })',
    'svc.tokenize({ data })',
    'svc.detokenize({ data })',
  ];
  for (const call of calls) {
    const { body } = await withSvc(
      `${prepare}
         try { await ${call}; return { raw: null }; }
         catch (error) { return { raw: [error.status, [error.message, ...Object.values(error.errors ?? {}).flat()].join()] }; }`,
    );
    expect(body.raw).toEqual([status, expect.stringMatching(message)]);
  }
});

it('svc: a filter of a list cannot replace its prototype', async () => {
  const { body } = await withSvc(
    "try { return { raw: await svc.tokens.list({ _Proto__: ['x'] }) }; } catch (error) { return { raw: error.status }; }",
  );
  expect(body.raw).toBe(400);
});

it("svc has the application's own permissions, not the caller's", async () => {
  const token = await server.token({ type: 'token', data: 'x', containers: ['/secret/'] });
  const access = {
    rules: [
      { priority: 1, container: '/open/', transform: 'reveal', permissions: ['token:read', 'token:use'] },
    ],
  };
  const { body } = await withSvc(
    `const status = async (work) => { try { await work(); return 200; } catch (error) { return error.status; } };
       return { raw: [
         await status(() => svc.tokens.get(args.id)),
         await status(() => svc.detokenize('{{ ' + args.id + ' }}')),
         await status(() => svc.tokens.delete(args.id)),
         await status(() => svc.tokens.create({ type: 'token', data: 1 })),
       ] };`,
    { id: token.id },
    access,
  );
  expect(body.raw).toEqual([403, 403, 403, 403]);
});

it('svc: failures throw an error with status and errors', async () => {
  const { body } = await withSvc(
    `const failure = async (work) => { try { await work(); } catch (e) { return { error: e instanceof Error, status: e.status, errors: e.errors, message: typeof e.message }; } };
       return { raw: {
         invalid: await failure(() => svc.tokens.create({ type: 'bank', data: { routing_number: '021000022', account_number: '1' } })),
         unknown: await failure(() => svc.tokens.get('unknown')),
         badQuery: await failure(() => svc.tokens.list({ size: 101 })),
         noId: await failure(() => svc.tokens.get()),
         badBody: await failure(() => svc.tokens.create()),
       } };`,
  );
  expect(body.raw).toEqual({
    invalid: {
      error: true,
      status: 400,
      errors: { 'data.routing_number': [expect.any(String)] },
      message: 'string',
    },
    unknown: { error: true, status: 404, message: 'string' },
    badQuery: {
      error: true,
      status: 400,
      errors: { 'query.size': [expect.any(String)] },
      message: 'string',
    },
    noId: { error: true, status: 400, errors: { id: [expect.any(String)] }, message: 'string' },
    badBody: { error: true, status: 400, errors: expect.any(Object), message: 'string' },
  });
});

it('svc: an error of svc that is not caught is answered with its status and errors', async () => {
  const { status, body } = await withSvc("await svc.tokens.create({ type: 'nonsense', data: 1 });");
  expect(status).toBe(400);
  expect(Object.keys(body.errors)).toEqual(['type']);
});

it('svc.reactors.react calls another reactor, detokenization included', async () => {
  const token = await server.token({ type: 'token', data: 'inner secret' });
  const inner = await createReactor(
    server,
    'module.exports = async ({ args }) => ({ raw: args.value.length });',
  );
  const { body } = await withSvc(
    "return { raw: await svc.reactors.react(args.inner, { args: { value: '{{ ' + args.token + ' }}' } }) };",
    { inner, token: token.id },
  );
  expect(body).toEqual({ raw: { raw: 12 } });
});

it("svc.reactors.react: the other reactor's error arrives with its status and errors", async () => {
  const inner = await createReactor(
    server,
    "module.exports = async () => { throw Object.assign(new Error('no'), { status: 418, errors: { a: ['b'] } }); };",
  );
  const { body } = await withSvc(
    'try { await svc.reactors.react(args.inner, {}); } catch (e) { return { raw: [e.status, e.errors] }; }',
    { inner },
  );
  expect(body.raw).toEqual([418, { a: ['b'] }]);
});

it('svc.reactors.react needs token:use', async () => {
  const inner = await createReactor(server, 'module.exports = async () => ({});');
  const { status } = await withSvc(
    'await svc.reactors.react(args.inner, {});',
    { inner },
    { permissions: ['token:read'] },
  );
  expect(status).toBe(403);
});

it('svc.reactors.react: a reactor that calls itself without end is stopped', async () => {
  const application = await createApplication(server, { permissions: ALL });
  const id = await createReactor(
    server,
    'module.exports = async ({ args, svc }) => svc.reactors.react(args.self, { args });',
    { application: { id: application.id } },
  );
  const answer = await react(server, id, { self: id });
  expect([answer.status, answer.body.title]).toEqual([500, 'Reactor Runtime Error']);
  expect(answer.body.errors.error[0]).toMatch(/deep/);
});
