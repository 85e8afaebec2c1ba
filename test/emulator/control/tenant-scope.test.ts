import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Method } from '../../../src/contract/operation-row.js';
import { type Answer, type Call, call, createTenant } from '../../support/call.js';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '../../support/emulator.js';
import { scratchDir } from '../../support/executable.js';
import { openBarrier, startGate, startReceiver } from '../../support/http-server.js';
import { hasPostgres, postgresOptions } from '../../support/postgres.js';

/** A tenant of its own on a running emulator, with its keys and its control endpoints. */
class TestTenant {
  private constructor(
    private readonly target: Parameters<typeof call>[0],
    readonly id: string,
  ) {}

  static async create(emulator: RunningEmulator, name = 'test'): Promise<TestTenant> {
    const { keys, tenant_id } = await createTenant(emulator, name);
    const { url, controlToken } = emulator;
    return new TestTenant({ url, controlToken, keys }, tenant_id);
  }

  call(method: Method, path: string, body?: unknown, options: Omit<Call, 'body'> = {}): Promise<Answer> {
    return call(this.target, method, path, { body, ...options });
  }

  /** Calls a control endpoint of the tenant: `/clock`. */
  control(method: Method, path: string, body?: unknown): Promise<Answer> {
    return this.call(method, `/_emulator/tenants/${this.id}${path}`, body, { control: true });
  }

  /** Deletes the tenant as whoever runs the emulator does. */
  remove = () => this.control('DELETE', '');

  async advance(duration: string): Promise<Answer['body']> {
    const { status, body } = await this.control('PUT', '/clock', { advance: duration });
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }

  async token(data: unknown = 'secret', more: object = {}): Promise<string> {
    const { status, body } = await this.call('POST', '/tokens', { type: 'token', data, ...more });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  }

  async tokens(): Promise<number> {
    return (await this.call('GET', '/tokens')).body.pagination.total_items;
  }

  async reactor(code: string): Promise<string> {
    const body = { name: 'test', code, configuration: {} };
    return (await this.call('POST', '/reactors', body, { as: 'management' })).body.id;
  }
}

const DAY_MS = 86_400_000;
const CARD = { number: '4242424242424242', expiration_month: 12, expiration_year: 2099, cvc: '737' };

const dataDir = scratchDir();
const STORES: Record<string, () => Promise<EmulatorOptions>> = {
  memory: async () => ({ memory: true }),
  disk: async () => ({ dataDir }),
  ...(hasPostgres && { postgres: postgresOptions }),
};

describe.each(Object.keys(STORES))('tenants have a world of their own (%s)', (store) => {
  let options: EmulatorOptions;
  let emulator: RunningEmulator;
  let [one, other]: [TestTenant, TestTenant] = [] as never;

  beforeAll(async () => {
    options = (await STORES[store]?.()) ?? {};
    emulator = await startEmulator({ port: 0, rateLimit: false, ...options }, { warmSandbox: false });
  });
  afterAll(() => emulator.close());
  beforeEach(async () => {
    [one, other] = [await TestTenant.create(emulator, 'one'), await TestTenant.create(emulator, 'other')];
  });

  test('clock: what expires, expires by the clock of its tenant', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const ids = [await one.token('a', { expires_at }), await other.token('b', { expires_at })];
    const { now, offset_ms, pending } = await one.advance('2h');
    expect([offset_ms, pending]).toEqual([expect.closeTo(7_200_000, -3), []]);
    expect((await one.call('GET', `/tokens/${ids[0]}`)).status).toBe(404);
    expect((await other.call('GET', `/tokens/${ids[1]}`)).status).toBe(200);
    const { body: log } = await one.call('GET', '/logs?operation=delete', undefined, { as: 'management' });
    expect(log.data[0]).toMatchObject({ entity_id: ids[0], actor_type: 'system' });
    expect(Math.abs(Date.parse(log.data[0].created_at) - Date.parse(now))).toBeLessThan(60_000);
    expect((await other.control('GET', '/clock')).body.offset_ms).toBeLessThan(1_000);
  });

  test('clock: the cvc is purged, timestamps and the month of usage are those of the tenant', async () => {
    const [mine, theirs] = [
      await one.token(CARD, { type: 'card' }),
      await other.token(CARD, { type: 'card' }),
    ];
    await one.advance('40d');
    expect((await one.call('GET', `/tokens/${mine}`)).body.data).not.toHaveProperty('cvc');
    expect((await other.call('GET', `/tokens/${theirs}`)).body.data).toHaveProperty('cvc', '737');
    const later = (await one.call('GET', `/tokens/${await one.token()}`)).body.created_at;
    expect(Date.parse(later) - Date.now()).toBeGreaterThan(39 * DAY_MS);
    const usage = async (tenant: TestTenant) =>
      (await tenant.call('GET', '/tenants/self/reports/usage', undefined, { as: 'management' })).body
        .token_report.monthly_active_tokens;
    // Both tokens were read in the later month; the card was created in the earlier one.
    expect([await usage(one), await usage(other)]).toEqual([2, 1]);
  });

  test('clock: a tenant that goes back keeps what the global clock has passed', async () => {
    await one.control('PUT', '/clock', { advance: '-2d' });
    const id = await one.token('x', { expires_at: new Date(Date.now() - DAY_MS).toISOString() });
    const neighbour = await other.token('y', { expires_at: new Date(Date.now() + 60_000).toISOString() });
    await emulator.clock.advance(120_000);
    expect((await one.call('GET', `/tokens/${id}`)).status).toBe(200);
    expect((await other.call('GET', `/tokens/${neighbour}`)).status).toBe(404);
    await emulator.clock.reset();
  });

  test('clock: it can be frozen, and follows the global one otherwise', async () => {
    const { body: frozen } = await one.control('PUT', '/clock', { frozen: true });
    await emulator.clock.advance(DAY_MS);
    expect((await one.control('GET', '/clock')).body.now).toBe(frozen.now);
    await one.control('PUT', '/clock', { frozen: false });
    await other.advance('1h');
    await emulator.clock.reset();
    const offset = (await other.control('GET', '/clock')).body.offset_ms;
    expect(Math.abs(offset - 3_600_000)).toBeLessThan(1_000);
    expect((await one.control('PUT', '/clock', { reset: true })).body.offset_ms).toBeLessThan(1_000);
  });

  test('clock: an idempotency key and an API key expire by it; Date of a reactor shows it', async () => {
    const body = { type: 'token', data: 'x' };
    const create = async (tenant: TestTenant) =>
      (await tenant.call('POST', '/tokens', body, { idempotencyKey: 'again' })).body.id;
    const before = [await create(one), await create(other)];
    await one.advance('25h');
    const after = [await create(one), await create(other)];
    expect(after.map((id, i) => id === before[i])).toEqual([false, true]);
    const reactor = await one.reactor('module.exports = async () => ({ raw: { now: Date.now() } })');
    const { raw } = (await one.call('POST', `/reactors/${reactor}/react`, {})).body;
    expect(raw.now - Date.now()).toBeGreaterThan(24 * 3_600_000);
  });

  test('clock: a chain of retries is delivered before it answers, with the time of the tenant', async () => {
    const receiver = await startReceiver(() => (receiver.received.length < 4 ? 503 : 204));
    await one.control('PUT', '/clock', { frozen: true });
    const reactor = await one.reactor('module.exports = async () => ({ raw: {} })');
    await one.call('POST', `/reactors/${reactor}/react`, { callback_url: receiver.url });
    await receiver.arrived(1);
    await expect
      .poll(async () => (await one.control('GET', '/deliveries')).body.deliveries[0]?.attempts)
      .toBe(1);
    expect((await other.control('GET', '/deliveries')).body.deliveries).toEqual([]);
    await other.advance('1h');
    expect(receiver.received).toHaveLength(1);
    const { now, pending } = await one.advance('1h');
    expect([receiver.received.length, pending]).toEqual([4, []]);
    const signature = String(receiver.received[3]?.headers['svc-signature']);
    expect(Number(/^t=(\d+)/.exec(signature)?.[1])).toBe(Math.floor(Date.parse(now) / 1_000));
  });

  test('deliveries: what is still pending is listed after the wait, and can be waited for', async () => {
    const { url } = await startReceiver(() => 500);
    await one.control('PUT', '/clock', { frozen: true });
    const gate = await startGate();
    const reactor = await one.reactor(
      `module.exports = async () => { await fetch('${gate.url}'); return {} }`,
    );
    const sent = await one.call('POST', `/reactors/${reactor}/react`, { callback_url: url });
    const { body } = await one.control('PUT', '/clock', { advance: '1s', wait_ms: 50 });
    const request_id = sent.headers.get('svc-request-id');
    expect(body.pending).toMatchObject([{ request_id, kind: 'callback', reactor_id: reactor, attempts: 0 }]);
    const waited = await one.control('POST', '/deliveries/wait', { wait_ms: 10 });
    expect(waited.body.deliveries).toMatchObject([{ request_id, url: `${url}/` }]);
  });

  test('faults: one of a tenant hits only its requests', async () => {
    const { status, body: fault } = await one.control('POST', '/faults', { status: 429, retry_after: 1 });
    expect([status, fault.tenant_id]).toEqual([201, one.id]);
    expect((await one.call('GET', '/tokens')).status).toBe(429);
    expect((await other.call('GET', '/tokens')).status).toBe(200);
    expect((await one.control('GET', '/faults')).body.faults).toHaveLength(1);
    expect((await other.control('GET', '/faults')).body.faults).toEqual([]);
    expect((await other.control('DELETE', `/faults/${fault.id}`)).status).toBe(404);
    await other.control('DELETE', '/faults');
    expect((await one.call('GET', '/tokens')).status).toBe(429);
    expect((await one.control('DELETE', `/faults/${fault.id}`)).status).toBe(204);
    expect((await one.call('GET', '/tokens')).status).toBe(200);
  });

  test('sessions: faults and clock are those of the tenant', async () => {
    const keys = [one, other].map(async (tenant) => {
      const { nonce, session_key } = (await tenant.call('POST', '/sessions', undefined, { as: 'public' }))
        .body;
      await tenant.call('POST', '/sessions/authorize', { nonce, permissions: ['token:read'] });
      return session_key as string;
    });
    const [mine = '', theirs = ''] = await Promise.all(keys);
    const statuses = async () => [
      (await one.call('GET', '/tokens', undefined, { key: mine })).status,
      (await other.call('GET', '/tokens', undefined, { key: theirs })).status,
    ];
    await one.control('POST', '/faults', { status: 429, retry_after: 1 });
    expect(await statuses()).toEqual([429, 200]);
    await one.control('DELETE', '/faults');
    expect(await statuses()).toEqual([200, 200]);
    await one.advance('2h');
    expect(await statuses()).toEqual([401, 200]);
  });

  test('reset: id, name and keys stay; everything else of the tenant is gone', async () => {
    const ids = [await one.token(), await other.token()];
    await one.advance('1d');
    await one.control('POST', '/faults', { status: 500, times: 1, operation: 'tokens.delete' });
    const more = { name: 'more', type: 'public', permissions: [] };
    await one.call('POST', '/applications', more, { as: 'management' });
    expect((await one.control('POST', '/reset')).status).toBe(204);
    expect((await one.call('GET', `/tokens/${ids[0]}`)).status).toBe(404);
    expect((await other.call('GET', `/tokens/${ids[1]}`)).status).toBe(200);
    const { body: tenant } = await one.call('GET', '/tenants/self', undefined, { as: 'management' });
    expect(tenant).toMatchObject({ id: one.id, name: 'one' });
    const { body: applications } = await one.call('GET', '/applications', undefined, { as: 'management' });
    expect(applications.pagination.total_items).toBe(3);
    expect((await one.control('GET', '/clock')).body.offset_ms).toBeLessThan(1_000);
    expect((await one.control('GET', '/faults')).body.faults).toEqual([]);
    const { requests } = (await one.control('GET', '/requests')).body;
    const operations = requests.map(({ operation }: { operation: string }) => operation);
    expect(operations).not.toContain('tokens.create');
  });

  test('snapshots: saved and restored for one tenant, and gone with it', async () => {
    const ids = [await one.token(), await other.token()];
    expect((await one.control('POST', '/snapshots', { name: 'base' })).body.tokens).toBe(1);
    for (const [index, tenant] of [one, other].entries())
      await tenant.call('DELETE', `/tokens/${ids[index]}`);
    await one.token('later');
    expect((await other.control('POST', '/snapshots/base/restore')).status).toBe(404);
    expect((await one.control('POST', '/snapshots/base/restore')).status).toBe(204);
    expect((await one.call('GET', `/tokens/${ids[0]}`)).status).toBe(200);
    expect([await one.tokens(), await other.tokens()]).toEqual([1, 0]);
    expect((await other.control('GET', '/snapshots')).body.snapshots).toEqual([]);
    await one.call('DELETE', '/tenants/self', undefined, { as: 'management' });
    expect((await one.control('GET', '/snapshots')).status).toBe(404);
  });

  test('snapshots: those saved at the same time under one name are whole, also while it is restored', async () => {
    const id = await one.token();
    const save = () => one.control('POST', '/snapshots', { name: 'base' });
    await save();
    const restore = () => one.control('POST', '/snapshots/base/restore');
    const responses = await Promise.all([save(), save(), restore(), save(), save(), restore(), save()]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 204, 201, 201, 204, 201]);
    expect((await restore()).status).toBe(204);
    expect((await one.call('GET', `/tokens/${id}`)).status).toBe(200);
  });

  test('deletion: what runs at the same time neither fails nor brings anything of the tenant back', async () => {
    await one.token();
    await one.control('POST', '/snapshots', { name: 'base' });
    const responses = await Promise.all([
      one.control('POST', '/reset'),
      one.remove(),
      one.remove(),
      one.control('POST', '/snapshots/base/restore'),
      one.control('POST', '/snapshots', { name: 'late' }),
      one.control('POST', '/reset'),
    ]);
    for (const { status } of responses) expect([201, 204, 404]).toContain(status);
    const removals = responses.slice(1, 3).map(({ status }) => status);
    expect(removals.sort()).toEqual([204, 404]);
    expect((await one.control('GET', '/file')).status).toBe(404);
    if (options.dataDir === undefined) return;
    const snapshots = await readdir(join(options.dataDir, 'snapshots'));
    expect(snapshots.filter((name) => name.startsWith(one.id))).toEqual([]);
  });

  test('requests and events: those of the tenant', async () => {
    await Promise.all([one.token(), other.token(), other.token()]);
    const count = async (of: TestTenant) => (await of.control('GET', '/requests')).body.requests.length;
    expect([await count(one), await count(other)]).toEqual([1, 2]);
    const stream = await fetch(`${emulator.url}/_emulator/tenants/${one.id}/events?recent=100`, {
      headers: { authorization: `Bearer ${emulator.controlToken}` },
    });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes(': live')) seen += (await reader?.read())?.value ?? '';
    await reader?.cancel();
    expect([...seen.matchAll(/^event: request$/gm)]).toHaveLength(1);
    expect(seen).not.toContain(other.id);
  });

  test('a deleted tenant is unknown, through its own key and through the control endpoint', async () => {
    await one.call('DELETE', '/tenants/self', undefined, { as: 'management' });
    expect((await other.remove()).status).toBe(204);
    expect((await other.remove()).status).toBe(404);
    for (const tenant of [one, other]) {
      expect((await tenant.call('GET', '/tokens')).status).toBe(401);
      expect((await tenant.control('GET', '/clock')).status).toBe(404);
    }
  });
});

describe('control endpoints', () => {
  let emulator: RunningEmulator;
  beforeAll(async () => {
    emulator = await startEmulator({ port: 0, memory: true, rateLimit: false });
  });
  afterAll(() => emulator.close());

  test.each(['/clock?x=1', '/health?probe', '/requests?limit=5', '/events?recent=1&follow=true'])(
    'an unknown query parameter is 400: %s',
    async (path) => {
      const { status, body } = await call(emulator, 'GET', `/_emulator${path}`, { control: true });
      expect([status, Object.keys(body.errors)]).toEqual([400, [expect.stringMatching(/^query/)]]);
    },
  );

  test('while one tenant keeps all reactors busy, another one gets its turn', async () => {
    const [one, other] = [await TestTenant.create(emulator), await TestTenant.create(emulator)];
    const held: (() => void)[] = [];
    let [arrivals, isOpen, isReached] = [0, false, false];
    const gate = await openBarrier(() => {
      arrivals += 1;
      return isOpen || new Promise<void>((release) => held.push(release));
    });
    const turn = await openBarrier(() => {
      arrivals += 1;
      isReached = true;
    });
    const fetching = (url: string) => `module.exports = async () => { await fetch('${url}'); return {} }`;
    const [flooding, single] = [await one.reactor(fetching(gate)), await other.reactor(fetching(turn))];
    const react = async (tenant: TestTenant, id: string) =>
      expect((await tenant.call('POST', `/reactors/${id}/react`, {})).status).toBe(200);
    const invocations = Array.from({ length: 60 }, () => react(one, flooding));
    await expect.poll(() => invocationsOf(emulator)).toBe(60);
    invocations.push(react(other, single));
    await expect.poll(() => invocationsOf(emulator)).toBe(61);
    // Ends one invocation at a time, and waits until another one runs: one that takes its place, or one that was being started.
    await expect.poll(() => arrivals).toBeGreaterThan(0);
    let ended = 0;
    while (!isReached) {
      const before = arrivals;
      held.shift()?.();
      ended += 1;
      await expect.poll(() => arrivals).toBeGreaterThan(before);
    }
    isOpen = true;
    for (const release of held) release();
    await Promise.all(invocations);
    // The flood has waited longer, but the other tenant did not have to wait for all of it.
    expect(ended).toBeLessThan(30);
  });
});

async function invocationsOf(emulator: RunningEmulator): Promise<number> {
  const { reactors } = (await call(emulator, 'GET', '/_emulator/stats', { control: true })).body;
  return reactors.running + reactors.queued;
}
