import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../../src/contract/limits.js';
import { createReactor, logEntries, react, run } from '../../../support/reactors.js';
import { useServer } from '../../../support/test-server.js';

const server = useServer({ rateLimit: false });
const ECHO = 'module.exports = async (req) => ({ raw: req.args });';
const CARD = { number: '4242424242424242', expiration_month: 12, expiration_year: 2031 };

/** What the code gets for these arguments. */
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

  it.each([{}, { args: null }])('args are optional: %j', async (body) => {
    const id = await createReactor(server, ECHO);
    const answer = await server.post(`/reactors/${id}/react`, body);
    expect([answer.status, answer.body]).toEqual([200, { raw: {} }]);
  });

  it.each([
    'module.exports = async function (req) { return { raw: req.args }; };',
    'module.exports = (req) => ({ raw: req.args });',
    'exports.default = async (req) => ({ raw: req.args });',
    'export default async (req) => ({ raw: req.args });',
    'export default async function react(req) { return { raw: req.args }; }',
  ])('CommonJS, ES modules with a default export and plain functions are accepted: %s', async (code) => {
    const answer = await run(server, code, { a: [1] });
    expect(answer.body).toEqual({ raw: { a: [1] } });
  });

  it.each(['args', 'callback', 'unknown'])('an unknown property is 400: %s', async (name) => {
    const id = await createReactor(server, ECHO);
    const body = name === 'args' ? { args: 5 } : { [name]: 5 };
    const answer = await server.post(`/reactors/${id}/react`, body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors)).toEqual([name]);
  });

  it('timeout_ms without callback_url is 400', async () => {
    const id = await createReactor(server, ECHO);
    const answer = await server.post(`/reactors/${id}/react`, { timeout_ms: 20_000 });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.timeout_ms[0]).toMatch(/callback_url/);
  });

  it.each([9_999, 210_001, 10_000.5, '20000'])(
    'timeout_ms out of 10000–210000 is 400: %j',
    async (timeout) => {
      const id = await createReactor(server, ECHO);
      const body = { timeout_ms: timeout, callback_url: 'http://localhost:1/' };
      const answer = await server.post(`/reactors/${id}/react`, body);
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body.errors)).toEqual(['timeout_ms']);
    },
  );
});

describe('detokenization', () => {
  it('a single expression has the type of its value, which may be an object', async () => {
    const text = await server.token({ type: 'token', data: 'secret' });
    const number = await server.token({ type: 'token', data: 42 });
    const flag = await server.token({ type: 'token', data: false });
    const list = await server.token({ type: 'token', data: [1, { a: null }] });
    const card = await server.token({ type: 'card', data: CARD });
    const args = {
      text: `{{${text.id}}}`,
      number: `{{ ${number.id} }}`,
      flag: `{{ ${flag.id} }}`,
      nested: { deep: [`{{${list.id}}}`, 'plain'] },
      card: `{{${card.id}}}`,
      plain: 7,
    };
    expect(await received(args)).toEqual({
      text: 'secret',
      number: 42,
      flag: false,
      nested: { deep: [[1, { a: null }], 'plain'] },
      card: CARD,
      plain: 7,
    });
  });

  it('an expression inside text becomes text, objects become JSON', async () => {
    const name = await server.token({ type: 'token', data: 'Ada' });
    const object = await server.token({ type: 'token', data: { a: 1 } });
    expect(await received({ text: `Dear {{${name.id}}}, {{ ${object.id} }}!` })).toEqual({
      text: 'Dear Ada, {"a":1}!',
    });
  });

  it('filters apply, among them a JSONPath into the data and the token itself', async () => {
    const card = await server.token({ type: 'card', data: CARD, metadata: { customer: 'C-1' } });
    const args = {
      last: `{{ ${card.id} | json: '$.number' | last4 }}`,
      month: `{{ ${card.id} | json: '$.expiration_month' }}`,
      customer: `{{ token: ${card.id} | json: '$.metadata.customer' }}`,
      type: `{{ token: ${card.id} | json: '$.type' }}`,
    };
    expect(await received(args)).toEqual({ last: '4242', month: 12, customer: 'C-1', type: 'card' });
  });

  it('args may be a single expression that returns an object', async () => {
    const object = await server.token({ type: 'token', data: { a: 1, b: ['c'] } });
    const text = await server.token({ type: 'token', data: 'no object' });
    expect(await received(`{{ ${object.id} }}`)).toEqual({ a: 1, b: ['c'] });
    const answer = await run(server, ECHO, `{{ ${text.id} }}`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.args[0]).toMatch(/object/);
  });

  it('code receives the raw data, whatever the mask', async () => {
    const card = await server.token({ type: 'card', data: { ...CARD, cvc: '737' }, mask: 'all hidden' });
    expect(await received({ card: `{{ ${card.id} }}` })).toEqual({ card: { ...CARD, cvc: '737' } });
  });

  it('at most 100 distinct tokens: naming one twice counts once, the 101st is 400', async () => {
    const tokens = await server.post(
      '/tokenize',
      Array.from({ length: 101 }, (_, i) => `t${i}`),
    );
    const ids: string[] = tokens.body;
    const expressions = ids.map((id) => `{{${id}}}`);
    const hundred = expressions.slice(0, 100);
    expect(await received({ list: [...hundred, ...hundred] })).toMatchObject({ list: { length: 200 } });
    const answer = await run(server, ECHO, { list: expressions });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.args[0]).toMatch(/100/);
  });

  it('an unknown token is 400 at the argument that names it, before the code runs', async () => {
    const known = await server.token({ type: 'token', data: 'x' });
    const id = await createReactor(server, ECHO);
    const answer = await react(server, id, { a: `{{${known.id}}}`, b: { c: '{{ unknown-token }}' } });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors)).toEqual(['args.b.c']);
    expect(await logEntries(server, `entity_id=${id}&entity_type=reactor`)).toHaveLength(1);
    expect(await logEntries(server, `entity_id=${known.id}`)).toHaveLength(1);
  });

  it.each(['{{ }}', '{{ a | nofilter }}', '{% if a %}', '{{ unclosed'])(
    'bad syntax is 400: %s',
    async (text) => {
      expect((await run(server, ECHO, { text })).status).toBe(400);
    },
  );

  it('a deleted token is unknown', async () => {
    const deleted = await server.token({ type: 'token', data: 'x' });
    await server.delete(`/tokens/${deleted.id}`);
    expect((await run(server, ECHO, { a: `{{${deleted.id}}}` })).status).toBe(400);
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
    const id = await createReactor(
      server,
      'module.exports = async (req) => ({ raw: req.args.a[0].length });',
    );
    const many = (times: number) => ({ a: Array.from({ length: times }, () => `{{${long.id}}}`) });
    expect((await react(server, id, many(5))).status).toBe(200);
    expect((await react(server, id, many(6))).status).toBe(413);
    expect((await react(server, id, { a: 'x'.repeat(LIMITS.bodyBytes) })).status).toBe(413);
  });
});

describe('warm instances', () => {
  const COUNTER = 'let calls = 0; module.exports = async () => ({ raw: ++calls });';

  it('module state is kept between invocations', async () => {
    const id = await createReactor(server, COUNTER);
    const results = [];
    for (let i = 0; i < 3; i += 1) results.push((await react(server, id)).body.raw);
    expect(results).toEqual([1, 2, 3]);
  });

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
});
