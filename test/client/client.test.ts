import { describe, expect, it, onTestFinished } from 'vitest';
import { type ClientOptions, createClient, type Retry, ServiceError } from '../../src/client/index.js';
import { problem, type StubAnswer, startHttpServer, startStub } from '../support/http-server.js';

const TENANT = { id: '0', name: 'Shop' };
const RATE_LIMITED: StubAnswer = { ...problem(429, 'Too Many Requests'), headers: { 'retry-after': '0' } };

async function connect(answers: StubAnswer[], options: Partial<ClientOptions> = {}) {
  const stub = await startStub(...answers);
  const client = createClient({ baseUrl: stub.url, apiKey: 'key', random: () => 0, ...options });
  onTestFinished(() => client.close());
  return { client, stub };
}

it('createClient({ baseUrl, apiKey }) selects the key by the permission of the operation', async () => {
  const apiKey = { management: 'key_management', private: 'key_private' };
  const { client, stub } = await connect([{ body: TENANT }], { apiKey });
  await client.call('tenants.get');
  await client.call('tokens.get', { path: { id: 'one' } });
  expect(stub.requests.map((one) => one.headers['svc-api-key'])).toEqual(['key_management', 'key_private']);
});

const unset = undefined as unknown as string;

it.each([
  ['no baseUrl', { baseUrl: unset, apiKey: 'key' }, 'The option baseUrl must be an http or https URL'],
  ['a host alone', { baseUrl: 'api.example.com', apiKey: 'key' }, 'The option baseUrl must be an http'],
  ['no apiKey', { baseUrl: 'http://127.0.0.1:9', apiKey: unset }, 'The option apiKey is missing'],
])('a program not compiled with %s is told which option is wrong', async (_what, options, message) => {
  await expect(createClient(options).call('tenants.get')).rejects.toThrow(message);
});

it('a program that is not compiled is told which operation does not exist', async () => {
  const { client, stub } = await connect([{ body: TENANT }]);
  await expect(client.call('tokens.fetch' as 'tenants.get')).rejects.toThrow(
    'There is no operation "tokens.fetch".',
  );
  expect(stub.requests).toEqual([]);
});

describe('a response that does not follow the contract', () => {
  const FIRST_PAGE = { total_items: 1 };

  it.each([
    [null, 'that is not an object'],
    [{}, 'whose data is not a list'],
    [{ data: [null], pagination: FIRST_PAGE }, 'whose data.0.id is not a string'],
    [{ data: [{ id: 'one' }, { id: 2 }], pagination: FIRST_PAGE }, 'whose data.1.id is not a string'],
    [{ data: [], pagination: null }, 'whose pagination is not an object'],
    [{ data: [], pagination: { total_items: '1' } }, 'whose pagination.total_items is not a number'],
  ])('%j is an error that names the property', async (body, fault) => {
    const { client, stub } = await connect([{ body: JSON.stringify(body) }]);
    await expect(client.call('reactors.list')).rejects.toMatchObject({
      name: 'ProtocolError',
      message: `${stub.url} responded to GET /reactors with a body ${fault}.`,
    });
  });

  it('neither is a list where an object is due, nor the other way round', async () => {
    const { client } = await connect([{ body: [] }, { body: {} }]);
    await expect(client.call('tenants.get')).rejects.toThrow('with a body that is not an object.');
    await expect(client.call('permissions.list')).rejects.toThrow('with a body that is not a list.');
  });

  it.each([['null'], ['"deleted"'], ['[]']])('%s where no body is due is ignored', async (body) => {
    const { client } = await connect([{ body }]);
    await expect(client.send('tokens.delete', { path: { id: '1' } })).resolves.toMatchObject({ status: 200 });
  });

  it('detokenized data and the output of code may be anything', async () => {
    const { client } = await connect([{ body: '1' }, { body: '"one"' }]);
    expect(await client.call('detokenize', { body: '{{ one }}' })).toBe(1);
    expect(await client.call('reactors.react', { path: { id: 'one' }, body: {} })).toBe('one');
  });

  it('too long, is an error before all of it is in memory', async () => {
    const url = await startHttpServer((_request, response) => {
      const part = Buffer.alloc(2 ** 20);
      const write = () => {
        while (!response.destroyed && response.write(part));
      };
      response.on('drain', write);
      write();
    });
    const client = createClient({ baseUrl: url, apiKey: 'key' });
    onTestFinished(() => client.close());
    const error = `${url} sent a response of more than 256 MiB.`;
    await expect(client.call('tenants.get')).rejects.toMatchObject({ name: 'ProtocolError', message: error });
  });

  it.each([
    ['texts of other types', { title: {}, detail: [1], instance: {} }, { title: 'HTTP 400' }],
    ['a text as error', { title: 'Bad', errors: { name: 'is long' } }, { errors: { name: ['is long'] } }],
    ['errors that are a text', { title: 'Bad', errors: 'is long' }, { errors: { error: ['is long'] } }],
    [
      'errors of other types',
      { errors: { a: { b: 1 }, c: null, d: [{}, 'is long'] } },
      { errors: { d: ['is long'] } },
    ],
  ])('problem details with %s have what can be read', async (_what, more, problem) => {
    const headers = { 'content-type': 'application/problem+json' };
    const { client } = await connect([{ status: 400, headers, body: more }]);
    const error = await client.call('tenants.get').catch((reason: ServiceError) => reason);
    expect(error).toMatchObject({ problem });
    expect(error).not.toHaveProperty('problem.detail');
    expect(error).toHaveProperty('traceId', undefined);
  });

  it('a Retry-After of more digits than a number has asks for nothing', async () => {
    const headers = { 'retry-after': '9'.repeat(400) };
    const { client } = await connect([{ ...problem(429, 'Too Many Requests'), headers }], { retries: 0 });
    await expect(client.call('tenants.get')).rejects.toMatchObject({ retryAfter: undefined });
  });
});

it('a closed client sends nothing, and says why', async () => {
  const { client, stub } = await connect([{ body: TENANT }]);
  await client.call('tenants.get');
  await client.close();
  await expect(client.call('tenants.get')).rejects.toThrow('The client is closed.');
  expect(stub.requests).toHaveLength(1);
});

it('the hooks of a client run around every retry, under one idempotency key', async () => {
  const seen: [hook: string, retryCount: number, status: number][] = [];
  const keys = new Set<string | undefined>();
  const record = (hook: string) => (retry: Retry) => {
    seen.push([hook, retry.retryCount, retry.error instanceof ServiceError ? retry.error.status : 0]);
    keys.add(retry.request.idempotencyKey);
  };
  const hooks = { onRateLimited: record('onRateLimited'), beforeRetry: record('beforeRetry') };
  const answers = [problem(503, 'Service Unavailable'), RATE_LIMITED, { status: 201, body: {} }];
  const { client, stub } = await connect(answers, { hooks });
  await client.call('tokens.create', { body: { type: 'token', data: 1 } });
  expect(seen).toEqual([
    ['beforeRetry', 1, 503],
    ['onRateLimited', 2, 429],
    ['beforeRetry', 2, 429],
  ]);
  expect([...keys]).toEqual([stub.requests[0]?.headers['svc-idempotency-key']]);
  expect(stub.requests).toHaveLength(3);
});

it('the hooks of a client postpone the next attempt until beforeRetry is done', async () => {
  let sentBefore = 0;
  const beforeRetry = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    sentBefore = stub.requests.length;
  };
  const { client, stub } = await connect([RATE_LIMITED, { body: TENANT }], { hooks: { beforeRetry } });
  await client.call('tenants.get');
  expect([sentBefore, stub.requests.length]).toEqual([1, 2]);
});

it('the hooks of a client: a hook that throws ends the call with its error', async () => {
  const hooks = {
    beforeRetry: () => {
      throw new RangeError('enough');
    },
  };
  const { client, stub } = await connect([RATE_LIMITED], { hooks });
  await expect(client.call('tenants.get')).rejects.toThrow(RangeError);
  expect(stub.requests).toHaveLength(1);
});

it('with rateLimitRetries, a 429 holds back every request of the client', async () => {
  const abort = new AbortController();
  const answers = [{ ...RATE_LIMITED, headers: { 'retry-after': '60' } }, { body: TENANT }];
  let isLimited = () => {};
  const limited = new Promise<void>((resolve) => {
    isLimited = resolve;
  });
  const hooks = { onRateLimited: () => isLimited() };
  const { client, stub } = await connect(answers, { hooks, rateLimitRetries: 1, signal: abort.signal });
  const first = client.call('tenants.get');
  await limited;
  const second = client.call('tenants.usage');
  // Without the pause, the second would arrive before these.
  for (const path of ['/one', '/two']) await fetch(stub.url + path);
  abort.abort();
  expect((await Promise.allSettled([first, second])).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
  expect(stub.requests.map(({ path }) => path)).toEqual(['/tenants/self', '/one', '/two']);
});

const send = async (answer: StubAnswer) => {
  const { client, stub } = await connect([answer]);
  const request = { method: 'POST', path: '/proxy/charges', permission: 'token:use', body: '{}' } as const;
  const response = await client.request(request).catch((error: unknown) => error);
  return { response, attempts: stub.requests.length };
};

it.each([200, 302, 402, 500])('a request through a proxy answers as the destination: %i', async (status) => {
  const headers = { 'svc-proxy-destination-status': String(status), 'content-type': 'text/plain' };
  const { response, attempts } = await send({ status, headers, body: 'plain text' });
  expect(response).toMatchObject({ status, body: 'plain text' });
  expect(attempts).toBe(1);
});

it.each([
  ['502', problem(502, 'Bad Gateway')],
  ['503', problem(503, 'Service Unavailable')],
  ['a reset', { reset: true }],
] satisfies [string, StubAnswer][])('through a proxy, nothing is sent twice: %s', async (_name, answer) => {
  const { response, attempts } = await send(answer);
  expect(response).toBeInstanceOf(Error);
  expect(attempts).toBe(1);
});
