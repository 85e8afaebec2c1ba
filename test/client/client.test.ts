import { describe, expect, it, onTestFinished } from 'vitest';
import { type ClientOptions, createClient, type Retry, ServiceError } from '../../src/client/index.js';
import { problem, type StubAnswer, startStub } from '../support/stub.js';

const TENANT = { id: '0', name: 'Shop' };
const RATE_LIMITED: StubAnswer = { ...problem(429, 'Too Many Requests'), headers: { 'retry-after': '0' } };

async function connect(answers: StubAnswer[], options: Partial<ClientOptions> = {}) {
  const stub = await startStub(...answers);
  const client = createClient({ baseUrl: stub.url, apiKey: 'key', random: () => 0, ...options });
  onTestFinished(async () => {
    await client.close();
    await stub.close();
  });
  return { client, stub };
}

describe('createClient({ baseUrl, apiKey })', () => {
  it('sends one key for every operation', async () => {
    const { client, stub } = await connect([{ body: TENANT }]);
    expect(await client.call('tenants.get')).toEqual(TENANT);
    expect(stub.requests[0]?.headers['svc-api-key']).toBe('key');
  });

  it('selects the key by the permission of the operation', async () => {
    const apiKey = { management: 'key_management', private: 'key_private' };
    const { client, stub } = await connect([{ body: TENANT }], { apiKey });
    await client.call('tenants.get');
    await client.call('tokens.get', { path: { id: 'one' } });
    expect(stub.requests.map(({ headers }) => headers['svc-api-key'])).toEqual([
      'key_management',
      'key_private',
    ]);
  });

  it('uses the header prefix of the service', async () => {
    const { client, stub } = await connect([{ body: TENANT }], { headerPrefix: 'ACME' });
    await client.call('tenants.get');
    expect(stub.requests[0]?.headers).toMatchObject({ 'acme-api-key': 'key' });
  });
});

describe('a program that is not compiled', () => {
  const unset = undefined as unknown as string;

  it.each([
    ['no baseUrl', { baseUrl: unset, apiKey: 'key' }, 'The option baseUrl must be an http or https URL'],
    ['a host alone', { baseUrl: 'api.example.com', apiKey: 'key' }, 'The option baseUrl must be an http'],
    ['no apiKey', { baseUrl: 'http://127.0.0.1:9', apiKey: unset }, 'The option apiKey is missing'],
  ])('with %s is told which option is wrong', async (_what, options, message) => {
    await expect(createClient(options).call('tenants.get')).rejects.toThrow(message);
  });

  it('is told which operation does not exist', async () => {
    const { client, stub } = await connect([{ body: TENANT }]);
    await expect(client.call('tokens.fetch' as 'tenants.get')).rejects.toThrow(
      'There is no operation "tokens.fetch".',
    );
    expect(stub.requests).toEqual([]);
  });
});

describe('a closed client', () => {
  it('sends nothing, and says why', async () => {
    const { client, stub } = await connect([{ body: TENANT }]);
    await client.call('tenants.get');
    await client.close();
    await expect(client.call('tenants.get')).rejects.toThrow('The client is closed.');
    expect(stub.requests).toHaveLength(1);
  });
});

describe('the hooks of a client', () => {
  it('run around every retry, under one idempotency key', async () => {
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

  it('postpone the next attempt until beforeRetry is done', async () => {
    let sentBefore = 0;
    const beforeRetry = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      sentBefore = stub.requests.length;
    };
    const { client, stub } = await connect([RATE_LIMITED, { body: TENANT }], { hooks: { beforeRetry } });
    await client.call('tenants.get');
    expect([sentBefore, stub.requests.length]).toEqual([1, 2]);
  });

  it('a hook that throws ends the call with its error', async () => {
    const hooks = {
      beforeRetry: () => {
        throw new RangeError('enough');
      },
    };
    const { client, stub } = await connect([RATE_LIMITED], { hooks });
    await expect(client.call('tenants.get')).rejects.toThrow(RangeError);
    expect(stub.requests).toHaveLength(1);
  });

  it('do not run for an error that is not retried', async () => {
    const hooks = { beforeRetry: () => expect.unreachable(), onRateLimited: () => expect.unreachable() };
    const { client } = await connect([RATE_LIMITED], { hooks, retries: 0 });
    await expect(client.call('tenants.get')).rejects.toMatchObject({ status: 429 });
  });
});

describe('a request through a proxy', () => {
  const send = async (answer: StubAnswer) => {
    const { client, stub } = await connect([answer]);
    const request = { method: 'POST', path: '/proxy/charges', permission: 'token:use', body: '{}' } as const;
    const response = await client.request(request).catch((error: unknown) => error);
    return { response, attempts: stub.requests.length };
  };

  it.each([200, 302, 402, 500])('returns what the destination responds: %i', async (status) => {
    const headers = { 'svc-proxy-destination-status': String(status), 'content-type': 'text/plain' };
    const { response, attempts } = await send({ status, headers, body: 'plain text' });
    expect(response).toMatchObject({ status, body: 'plain text' });
    expect(attempts).toBe(1);
  });

  it.each([
    ['502', problem(502, 'Bad Gateway')],
    ['503', problem(503, 'Service Unavailable')],
    ['a reset', { reset: true }],
  ] satisfies [string, StubAnswer][])(
    'is not repeated after %s: it may have arrived',
    async (_name, answer) => {
      const { response, attempts } = await send(answer);
      expect(response).toBeInstanceOf(Error);
      expect(attempts).toBe(1);
    },
  );

  it('is repeated after a 429 of the service', async () => {
    expect((await send(RATE_LIMITED)).attempts).toBe(4);
  });
});
