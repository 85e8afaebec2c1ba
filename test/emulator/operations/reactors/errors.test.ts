import { expect, it } from 'vitest';
import { createReactor, react, run, useServer } from '../../../support/test-server.js';

const server = useServer();

/** Runs code that throws, with line 2 as the place of the statement. */
function throwing(statement: string) {
  return run(server, `module.exports = async ({ args }) => {\n  ${statement}\n};`);
}

it.each([
  ["throw new Error('went wrong');", 'went wrong'],
  ["throw new TypeError('of a type');", 'of a type'],
  ["throw 'a text';", 'a text'],
  ['undefined.property;', /undefined/],
  ["await new Promise(() => setTimeout(() => { throw new Error('in a timer') }, 1));", 'in a timer'],
  [
    "require('events').prototype.emit.call(new (require('events'))(), 'error', new Error('no listener'));",
    'no listener',
  ],
  ["await Promise.reject(new Error('rejected'));", 'rejected'],
  ["throw Object.assign(new Error('odd'), { status: 200 });", 'odd'],
  ["throw Object.assign(new Error('odd'), { status: 600 });", 'odd'],
  ["throw Object.assign(new Error('odd'), { status: '404' });", 'odd'],
  ["throw Object.assign(new Error('odd'), { status: 404.5 });", 'odd'],
])('an error of the code itself is 500, Reactor Runtime Error: %s', async (statement, message) => {
  const { status, body } = await throwing(statement);
  expect([status, body.title]).toEqual([500, 'Reactor Runtime Error']);
  expect(body.errors).toEqual({ error: [expect.stringMatching(message)] });
});

it('an error of the code itself: the 422 of a syntax error contains its position', async () => {
  const { status, body } = await run(server, 'module.exports = async () => {\n  const = 5;\n};');
  expect(status).toBe(422);
  expect(body.detail).toMatch(/reactor\.js:2/);
});

it('an error of the code itself that is thrown while the code loads is 500', async () => {
  const { status, body } = await run(
    server,
    "throw new Error('at the top');\nmodule.exports = async () => ({});",
  );
  expect([status, body.title]).toEqual([500, 'Reactor Runtime Error']);
  expect(body.errors.error).toEqual(['at the top']);
});

it('an error of the code itself for an unknown module names the available ones', async () => {
  const { status, body } = await throwing("require('fs');");
  expect([status, body.title]).toEqual([500, 'Reactor Runtime Error']);
  expect(body.errors.error[0]).toMatch(/'fs'.*crypto.*node-fetch/);
});

it('the cause of an error of a refused request is in the detail, with how to allow it', async () => {
  const { body } = await throwing("await fetch('http://example.com/');");
  expect(body.errors).toEqual({ error: ['fetch failed'] });
  expect(body.detail).toMatch(
    /^TypeError: fetch failed: .* refused\. .*--allow-net example\.com\. \(reactor/,
  );
});

it('the cause of an error that no one listens is in the detail, also of an error that wraps it', async () => {
  const { body } = await throwing(
    "try { await fetch('http://127.0.0.1:1/') } catch (cause) { throw new Error('no luck', { cause }) }",
  );
  expect(body.detail).toMatch(/^Error: no luck: .*ECONNREFUSED.* \(reactor/);
});

it.each([
  ["new Error('a', { cause: 'a text' })", /^Error: a \(/],
  ["new Error('a', { cause: null })", /^Error: a \(/],
  ["new Error('a: b', { cause: new Error('b') })", /^Error: a: b \(/],
  ['(() => { const e = new Error("a"); e.cause = e; return e })()', /^Error: a \(/],
])('the cause of an error does not change the detail if it says nothing: %s', async (expression, detail) => {
  expect((await throwing(`throw ${expression};`)).body.detail).toMatch(detail);
});

it.each([400, 404, 418, 451, 500, 502, 599])('an error becomes its status, 400–599: %i', async (status) => {
  const answer = await throwing(`throw Object.assign(new Error('own words'), { status: ${status} });`);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ status, errors: { error: ['own words'] } });
});

it.each([
  ["{ errors: { field: ['a', 'b'] } }", { field: ['a', 'b'] }],
  ["{ errors: { field: 'a' } }", { field: ['a'] }],
  ["{ errors: ['a', 'b'] }", { error: ['a', 'b'] }],
  ["{ errors: 'a' }", { error: ['a'] }],
  ["{ errors: [new Error('a'), 'b'] }", { error: ['a', 'b'] }],
  ["{ errors: { field: [new TypeError('a')] } }", { field: ['a'] }],
  ['{ errors: { field: [1, null] } }', { field: ['1', 'null'] }],
  ['{ errors: null }', { error: ['message'] }],
  ["{ body: { of: 'an upstream' }, headers: { 'x-of': 'an upstream' } }", { error: ['message'] }],
])('an error with an integer status of 400–599 answers with its errors: %s', async (extra, errors) => {
  const { status, body } = await throwing(
    `throw Object.assign(new Error('message'), { status: 422 }, ${extra});`,
  );
  expect([status, body.errors]).toEqual([422, errors]);
});

it.each([
  ["{ status: 402, errors: { card: ['expired'] } }", 402, { card: ['expired'] }, /error: Payment Required$/],
  ['{ status: 404 }', 404, { error: ['Not Found'] }, /error: Not Found$/],
  ['{ status: 600 }', 500, { error: ['Error'] }, /^Error$/],
])('a thrown object without a message has its status: %s', async (expression, expected, errors, detail) => {
  const { status, body } = await throwing(`throw ${expression};`);
  expect([status, body.errors]).toEqual([expected, errors]);
  expect(body.detail).toMatch(detail);
});

/** Throws an error of one class, made of an argument, and gives its response. */
async function thrown(id: string, name: string, given: string): Promise<[number, object]> {
  const { status, body } = await react(server, id, { name, given });
  return [status, body.errors];
}
const CODE = `const errors = require('svc-reactor-errors');
    module.exports = async ({ args: { name, given } }) => {
      const error = new errors[name](eval('(' + given + ')'));
      if (!(error instanceof Error) || error.name !== name) return;
      throw error;
    };`;

it.each([
  ['BadRequestError', 400],
  ['InvalidReactorConfigurationError', 400],
  ['AuthenticationError', 401],
  ['InvalidPaymentMethodError', 402],
  ['AuthorizationError', 403],
  ['RateLimitError', 429],
  ['ReactorRuntimeError', 500],
  ['ServiceUnavailableError', 503],
])("require('svc-reactor-errors'): %s is %i, with the errors that it is made of", async (name, status) => {
  const id = await createReactor(server, CODE);
  for (const [given, errors] of [
    ["'a message'", { error: ['a message'] }],
    ["['a', 'b']", { error: ['a', 'b'] }],
    ["{ field: 'a', list: ['b'], other: { b: 1 } }", { field: ['a'], list: ['b'], other: ['{"b":1}'] }],
    ["new RangeError('card declined')", { error: ['card declined'] }],
    ['undefined', { error: [expect.any(String)] }],
    ['null', { error: [expect.any(String)] }],
    ["''", { error: [expect.any(String)] }],
    ['(() => { const a = {}; a.a = a; return a; })()', { error: [expect.any(String)] }],
  ] as const)
    expect([given, ...(await thrown(id, name, given))]).toEqual([given, status, errors]);
});

/** Not through the contract's check: the answer is the reactor's own. */
const invoke = (id: string, headers: Record<string, string> = {}) =>
  fetch(`${server.emulator.url}/reactors/${id}/react`, {
    method: 'POST',
    headers: {
      'svc-api-key': server.emulator.keys.private,
      'content-type': 'application/json',
      ...headers,
    },
    body: '{}',
  });

async function custom(argument: string): Promise<Response> {
  const code = `const { CustomHttpResponseError } = require('svc-reactor-errors');
       module.exports = async () => { throw new CustomHttpResponseError(${argument}); };`;
  return invoke(await createReactor(server, code));
}

it.each([
  ["{ status: 418, headers: { 'Content-Type': 'text/plain' }, body: 'a teapot' }", 'text/plain', 'a teapot'],
  ["{ status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' }", 'text/html', '<p>'],
  [
    "{ status: 400, headers: { 'content-type': 'application/vnd.own+json' }, body: 'x' }",
    'application/vnd.own+json',
    '"x"',
  ],
  ["{ status: 400, headers: { 'content-type': 'text/plain' }, body: { a: 1 } }", 'text/plain', '{"a":1}'],
  ["{ status: 400, body: 'x' }", 'application/json; charset=utf-8', '"x"'],
])('CustomHttpResponseError answers with its own content type: %s', async (argument, type, text) => {
  const response = await custom(argument);
  expect([response.headers.get('content-type'), await response.text()]).toEqual([type, text]);
});

it("require('svc-reactor-errors'): a page of a reactor gets no access to the origin of the emulator", async () => {
  const headers = "{ 'content-type': 'text/html', 'Content-Security-Policy': 'default-src *' }";
  const response = await custom(`{ status: 200, headers: ${headers}, body: '<script>' }`);
  expect(response.headers.get('content-security-policy')).toBe('sandbox');
});

it("require('svc-reactor-errors'): without a body, the response has the common error body", async () => {
  const response = await custom('{ status: 410 }');
  expect(response.status).toBe(410);
  expect(response.headers.get('content-type')).toMatch('application/problem+json');
});

it("require('svc-reactor-errors'): hop-by-hop, security and malformed headers are omitted", async () => {
  const headers = {
    'Content-Length': '1',
    'Transfer-Encoding': 'chunked',
    'Set-Cookie': 'a=b',
    'Access-Control-Allow-Origin': '*',
    'Bad Name': 'x',
    'X-Bad-Value': 'a\r\nX-Injected: b',
    'SVC-Trace-Id': 'of-the-reactor',
    'X-Good': 'c',
  };
  const response = await custom(
    `{ status: 400, headers: ${JSON.stringify(headers)}, body: { long: 'enough' } }`,
  );
  expect(await response.json()).toEqual({ long: 'enough' });
  for (const name of ['set-cookie', 'access-control-allow-origin', 'x-bad-value', 'x-injected']) {
    expect(response.headers.get(name)).toBeNull();
  }
  expect(response.headers.get('svc-trace-id')).not.toBe('of-the-reactor');
  expect(response.headers.get('x-good')).toBe('c');
});

it.each([200, 201, 302, 599])('CustomHttpResponseError may answer with %i', async (status) => {
  const response = await custom(`{ status: ${status}, headers: { 'X-Own': 'yes' }, body: { any: 1 } }`);
  expect([response.status, response.headers.get('x-own')]).toEqual([status, 'yes']);
  expect(await response.json()).toEqual({ any: 1 });
});

it("require('svc-reactor-errors'): a success that it answers with is stored under an idempotency key", async () => {
  const id = await createReactor(
    server,
    `let count = 0;
       const { CustomHttpResponseError } = require('svc-reactor-errors');
       module.exports = async () => {
         count += 1;
         throw new CustomHttpResponseError({ status: 201, headers: { 'x-count': String(count) }, body: { count } });
       };`,
  );
  for (const _twice of [1, 2]) {
    const response = await invoke(id, { 'svc-idempotency-key': 'custom' });
    const answer = [response.status, response.headers.get('x-count'), await response.json()];
    expect(answer).toEqual([201, '1', { count: 1 }]);
  }
});

it("require('svc-reactor-errors'): a success without a body has an empty one", async () => {
  expect(await (await custom('{ status: 200 }')).json()).toEqual({});
  const nothing = await custom('{ status: 204, body: { any: 1 } }');
  expect([nothing.status, await nothing.text()]).toEqual([204, '']);
});

it.each([0, 100, 199, 600])('CustomHttpResponseError: not with %i', async (status) => {
  const response = await custom(`{ status: ${status}, body: {} }`);
  expect(response.status).toBe(500);
  expect(((await response.json()) as { errors: unknown }).errors).toEqual({
    error: [`Custom response ${status}; a status is 200 to 599`],
  });
});
