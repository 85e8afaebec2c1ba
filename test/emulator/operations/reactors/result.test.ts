import { expect, it } from 'vitest';
import { createApplication, createReactor, react, run, useServer } from '../../../support/test-server.js';

const server = useServer();

it.each(['', 'return;', 'return undefined;', 'return null;', 'return {};'])(
  'a reactor that returns nothing answers {}: %s',
  async (body) => {
    const answer = await run(server, `module.exports = async () => { ${body} };`);
    expect([answer.status, answer.body]).toEqual([200, {}]);
  },
);

it.each(['{ a: [1, "b", null, { c: true }] }', '[1]', '"text"', '0', 'false'])(
  'raw is any JSON: %s',
  async (raw) => {
    const answer = await run(server, `module.exports = async () => ({ raw: ${raw} });`);
    expect(answer.body).toEqual({ raw: new Function(`return ${raw}`)() });
  },
);

it('dates and toJSON are serialized as by JSON.stringify, as on the remote', async () => {
  const answer = await run(
    server,
    'module.exports = async () => ({ raw: { date: new Date(0), own: { toJSON: () => 1 }, none: undefined } });',
  );
  expect(answer.body.raw).toEqual({ date: '1970-01-01T00:00:00.000Z', own: 1 });
});

it.each(['5', '"text"', '[1]', 'true'])('another result is a Reactor Runtime Error: %s', async (value) => {
  const answer = await run(server, `module.exports = async () => ${value};`);
  expect([answer.status, answer.body.title]).toEqual([500, 'Reactor Runtime Error']);
  expect(answer.body.errors.error[0]).toMatch(/raw.*tokenize/);
});

it.each([
  ['nesting of 3,000 levels', 'let a = 1; for (let i = 0; i < 3000; i++) a = [a]; return a;', 'nest'],
  ['the name __proto__', 'return JSON.parse(\'{"a":{"__proto__":1}}\');', '__proto__'],
])('tokenize is checked as the body of a request: %s', async (_what, body, message) => {
  const code = `module.exports = async () => ({ tokenize: (() => { ${body} })() });`;
  const answer = await run(server, code);
  expect([400, 500]).toContain(answer.status);
  expect(answer.body.title).not.toBe('Internal Server Error');
  expect(JSON.stringify(answer.body.errors)).toContain(message);
});

const STORE = `module.exports = async () => ({ tokenize: { type: 'token', data: 'x', containers: ['/vault/'] } });`;
const rule = (container: string, permissions: string[]) => ({
  rules: [{ priority: 1, container, transform: 'reveal', permissions }],
});

it("tokenize has the permissions of the reactor's application, which is the token's creator", async () => {
  const application = await createApplication(server, rule('/vault/', ['token:create']));
  const caller = await createApplication(server, rule('/', ['token:use']));
  const id = await createReactor(server, STORE, { application: { id: application.id } });
  const answer = await react(server, id, {}, { key: caller.key });
  expect(answer.status).toBe(200);
  expect(answer.body.tokens.created_by).toBe(application.id);
});

it("tokenize has only the permissions of the reactor's application, whatever the caller's", async () => {
  const application = await createApplication(server, rule('/elsewhere/', ['token:create']));
  const id = await createReactor(server, STORE, { application: { id: application.id } });
  expect((await react(server, id)).status).toBe(403);
});

it("tokenize has the caller's permissions when the reactor has no application", async () => {
  const without = await createApplication(server, rule('/', ['token:use']));
  const with_ = await createApplication(server, rule('/', ['token:use', 'token:create']));
  const id = await createReactor(server, STORE);
  expect((await react(server, id, {}, { key: without.key })).status).toBe(403);
  const answer = await react(server, id, {}, { key: with_.key });
  expect([answer.status, answer.body.tokens.created_by]).toEqual([200, with_.id]);
});

it('tokenize is refused when the application of the reactor has been deleted', async () => {
  const application = await createApplication(server, rule('/', ['token:create']));
  const id = await createReactor(server, STORE, { application: { id: application.id } });
  await server.delete(`/applications/${application.id}`, { as: 'management' });
  expect((await react(server, id)).status).toBe(401);
});
