import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../../src/contract/limits.js';
import { createReactor, logEntries, react, refusal, run, useServer } from '../../../support/test-server.js';

const server = useServer({ rateLimit: false });
const ECHO = 'module.exports = async (req) => ({ raw: req.args });';
async function received(args: unknown): Promise<unknown> {
  const answer = await run(server, ECHO, args);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.raw;
}

describe('the request that the code gets', () => {
  it('holds args, configuration and svc, which is null without an application', async () => {
    const code = 'module.exports = async (req) => ({ raw: { keys: Object.keys(req).sort(), ...req } });';
    const answer = await run(server, code, { a: 1 }, { configuration: { K: 'v' } });
    expect(answer.body.raw).toEqual({
      keys: ['args', 'configuration', 'svc'],
      args: { a: 1 },
      configuration: { K: 'v' },
      svc: null,
    });
  });

  it.each(['args', 'callback', 'unknown'])('an unknown property is 400: %s', async (name) => {
    const id = await createReactor(server, ECHO);
    const body = name === 'args' ? { args: 5 } : { [name]: 5 };
    expect(refusal(await server.post(`/reactors/${id}/react`, body))).toEqual([400, [name]]);
  });

  it.each([9_999, 210_001, 10_000.5, '20000'])('timeout_ms outside 10000–210000: %j', async (timeout) => {
    const id = await createReactor(server, ECHO);
    const body = { timeout_ms: timeout, callback_url: 'http://localhost:1/' };
    expect(refusal(await server.post(`/reactors/${id}/react`, body))).toEqual([400, ['timeout_ms']]);
  });
});

it('token:use is needed on each container of each token: 403 before anything runs', async () => {
  const key = await server.application({
    rules: [{ priority: 1, container: '/a/', transform: 'redact', permissions: ['token:use'] }],
  });
  const inside = await server.token({ type: 'token', data: 'in', containers: ['/a/b/'] });
  const half = await server.token({ type: 'token', data: 'half', containers: ['/a/', '/c/'] });
  const id = await createReactor(server, ECHO);
  const allowed = await react(server, id, { a: `{{${inside.id}}}` }, { key });
  expect([allowed.status, allowed.body]).toEqual([200, { raw: { a: 'in' } }]);
  const refused = await react(server, id, { a: `{{${inside.id}}}`, b: `{{${half.id}}}` }, { key });
  expect(refused.status).toBe(403);
  const uses = await logEntries(server, `entity_id=${inside.id}`);
  expect(uses.filter(({ operation }) => operation === 'use')).toHaveLength(1);
});

it('every used token has its own audit entry', async () => {
  const token = await server.token({ type: 'token', data: 'x' });
  await received({ a: `{{${token.id}}}`, b: `again {{${token.id}}}` });
  const uses = await logEntries(server, `entity_id=${token.id}`);
  expect(uses.map(({ operation }) => operation)).toEqual(['use', 'create']);
});

it('the invocation payload is 5 MB, as sent and as detokenized', async () => {
  const long = await server.token({ type: 'token', data: 'x'.repeat(1_000_000) });
  const id = await createReactor(server, 'module.exports = async (r) => ({ raw: r.args.a[0].length });');
  const many = (times: number) => ({ a: Array.from({ length: times }, () => `{{${long.id}}}`) });
  expect((await react(server, id, many(5))).status).toBe(200);
  expect((await react(server, id, many(6))).status).toBe(413);
  expect((await react(server, id, { a: 'x'.repeat(LIMITS.bodyBytes) })).status).toBe(413);
});

const COUNTER = 'let calls = 0; module.exports = async () => ({ raw: ++calls });';

it.each([
  ['code', { code: `${COUNTER}//` }],
  ['configuration', { configuration: { A: 'b' } }],
])('an update of the %s retires them', async (_what, patch) => {
  const id = await createReactor(server, COUNTER);
  expect([(await react(server, id)).body.raw, (await react(server, id)).body.raw]).toEqual([1, 2]);
  await server.patch(`/reactors/${id}`, patch, { as: 'management' });
  expect((await react(server, id)).body.raw).toBe(1);
});

it('concurrent invocations get instances of their own', async () => {
  const code = `let running = 0;
      module.exports = async () => {
        running += 1;
        await new Promise((resolve) => setTimeout(resolve, 100));
        return { raw: running-- };
      };`;
  const id = await createReactor(server, code);
  const answers = await Promise.all([1, 2, 3].map(() => react(server, id)));
  expect(answers.map(({ body }) => body.raw)).toEqual([1, 1, 1]);
});

it('reactors of the same code share no state', async () => {
  const [first, second] = [await createReactor(server, COUNTER), await createReactor(server, COUNTER)];
  await react(server, first);
  expect((await react(server, second)).body.raw).toBe(1);
});
