import { beforeAll, describe, expect, test } from 'vitest';
import { startStub } from '../../support/http-server.js';
import { controlOf, useServer } from '../../support/test-server.js';

const server = useServer();
const control = controlOf(server);
const as = 'management';

async function scrape(): Promise<{ type: string | null; text: string }> {
  const response = await fetch(`${server.emulator.url}/_emulator/metrics`, {
    headers: { authorization: `Bearer ${server.emulator.controlToken}` },
  });
  expect(response.status).toBe(200);
  return { type: response.headers.get('content-type'), text: await response.text() };
}

/** Returns the sample of a line, `name` or `name{labels}`. */
async function sample(series: string): Promise<number | undefined> {
  const line = (await scrape()).text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

// prom-client writes a missing value as Nan, which Prometheus reads.
const LINE =
  /^(?:# (?:HELP|TYPE) \S+ .+|[a-z][a-z0-9_]*(?:\{(?:[a-z_]+="[^"]*",?)+\})? (?:-?[\d.]+(?:e[+-]?\d+)?|NaN|Nan|\+Inf))?$/;

describe('GET /_emulator/metrics', () => {
  beforeAll(async () => {
    await server.token({ type: 'token', data: 'secret-data', metadata: { key: 'secret-metadata' } });
  });

  test('is the text format of Prometheus, with the metrics of the process', async () => {
    const { type, text } = await scrape();
    expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text.split('\n').filter((line) => !LINE.test(line))).toEqual([]);
    for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'])
      expect(text).toContain(`\n${name} `);
  });

  test('has no data, ids or keys of a tenant', async () => {
    const { tenant_id, keys, controlToken } = server.emulator;
    const { text } = await scrape();
    for (const secret of ['secret', tenant_id, controlToken, ...Object.values(keys)])
      expect(text).not.toContain(secret);
  });

  test('leaves out requests that the CLI sent for its own sake, which lists of requests show when asked for', async () => {
    const listed = 'tokenctl_requests_total{operation="reactors.list",status="200"}';
    await server.call('GET', '/reactors', { as, headers: { 'SVC-BACKGROUND': 'true' } });
    expect(await sample(listed)).toBeUndefined();
    await server.call('GET', '/reactors', { as });
    expect(await sample(listed)).toBe(1);
    const count = async (query: string) => {
      const { requests } = (await control.get(`/requests${query}`)).body;
      return requests.filter((one: { operation: string }) => one.operation === 'reactors.list').length;
    };
    expect([await count(''), await count('?background=true')]).toEqual([1, 2]);
  });

  test('counts requests by operation and status, and their duration', async () => {
    const created = 'tokenctl_requests_total{operation="tokens.create",status="201"}';
    const before = (await sample(created)) ?? 0;
    await server.token({ type: 'token', data: 'x' });
    await server.post('/tokens', { type: 'card', data: {} });
    expect(await sample(created)).toBe(before + 1);
    expect(await sample('tokenctl_requests_total{operation="tokens.create",status="400"}')).toBe(1);
    const duration = (suffix: string) => sample(`tokenctl_request_duration_seconds_${suffix}`);
    expect(await duration('count{operation="tokens.create"}')).toBe(before + 2);
    expect(await duration('bucket{operation="tokens.create",le="+Inf"}')).toBe(before + 2);
    expect(await duration('sum{operation="tokens.create"}')).toBeGreaterThan(0);
  });

  test('keeps paths out of the labels', async () => {
    await server.get('/secret-path');
    await fetch(`${server.emulator.url}/proxy/secret-path`);
    expect(await sample('tokenctl_requests_total{operation="none",status="404"}')).toBe(1);
    expect(await sample('tokenctl_request_duration_seconds_count{operation="proxy"}')).toBe(1);
  });

  test('counts commits by outcome, and says which store it is', async () => {
    const stored = 'tokenctl_store_commits_total{outcome="stored"}';
    const before = (await sample(stored)) ?? 0;
    await server.token({ type: 'token', data: 'x' });
    expect(await sample(stored)).toBe(before + 1);
    expect(await sample('tokenctl_store_commits_total{outcome="failed"}')).toBe(0);
    expect(await sample('tokenctl_store_up')).toBe(1);
    expect(await sample('tokenctl_info{version="0.1.0",store="memory"}')).toBe(1);
  });

  test('counts invocations by outcome', async () => {
    const code =
      'module.exports = async ({ args }) => { if (args.fail) throw new Error("no"); return { raw: 1 }; };';
    const { id } = (await server.post('/reactors', { name: 'r', code, configuration: {} }, { as })).body;
    for (const fail of [false, false, true]) await server.post(`/reactors/${id}/react`, { args: { fail } });
    const outcome = (name: string) => sample(`tokenctl_reactor_invocations_total{outcome="${name}"}`);
    expect([await outcome('returned'), await outcome('threw')]).toEqual([2, 1]);
    expect(await sample('tokenctl_sandbox_workers')).toBeGreaterThan(0);
  });

  test('counts attempts to deliver, and what is pending', async () => {
    const stub = await startStub({ body: {} });
    const attempts = (outcome: string) =>
      sample(`tokenctl_delivery_attempts_total{kind="webhook",outcome="${outcome}"}`);
    await server.post('/webhooks', { name: 'ok', url: stub.url, events: ['token.created'] }, { as });
    const closed = { name: 'closed', url: 'http://127.0.0.1:1/', events: ['token.created'] };
    await server.post('/webhooks', closed, { as });
    await server.token({ type: 'token', data: 'x' });
    await expect.poll(() => attempts('delivered')).toBe(1);
    await expect.poll(() => attempts('retried')).toBe(1);
    expect(await sample('tokenctl_deliveries_pending')).toBe(1);
    await expect
      .poll(async () => {
        await control.put('/clock', { advance: '20m' });
        return attempts('given_up');
      })
      .toBe(1);
    expect(await sample('tokenctl_deliveries_pending')).toBe(0);
  });
});
