import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startGate, startReceiver } from '../support/http-server.js';
import { Fleet, hasPostgres, newDatabase, PostgresServer, sharedPostgres } from '../support/postgres.js';

const startFleet = async (options: Parameters<typeof Fleet.start>[2] = {}) =>
  Fleet.use(await newDatabase(), 3, options);

let fleet: Fleet;

beforeAll(async () => {
  if (hasPostgres) fleet = await Fleet.start(await newDatabase(), 3);
});
beforeEach(async () => {
  if (hasPostgres) await fleet.call('POST', '/_emulator/reset', CONTROL);
});
afterAll(async () => {
  await fleet?.close();
  expect(fleet?.errors ?? []).toEqual([]);
});

const CONTROL = { control: true } as const;

async function createReactor(fleet: Fleet, code: string, more: object = {}): Promise<string> {
  const body = { name: 'r', code, configuration: {}, ...more };
  return (await fleet.callOn(0, 'POST', '/reactors', { as: 'management', body })).body.id;
}

const CARD = { number: '4242424242424242', expiration_month: 12, expiration_year: 2099 };
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();

/** Creates a tenant through the first emulator. Returns the path of its control endpoints and its private key. */
async function createTenant(): Promise<{ path: string; key: string }> {
  const { body } = await fleet.callOn(0, 'POST', '/_emulator/tenants', {
    control: true,
    body: { name: 'own' },
  });
  return { path: `/_emulator/tenants/${body.tenant_id}`, key: body.keys.private };
}

describe.skipIf(!hasPostgres)('emulators on one PostgreSQL database: what one does, others see', () => {
  it('has one tenant, with the same keys and control token, however many start at once', async () => {
    const [first, ...others] = fleet.emulators.map(({ tenant_id, keys, controlToken }) => ({
      tenant_id,
      keys,
      controlToken,
    }));
    for (const other of others) expect(other).toEqual(first);
    expect((await fleet.call('GET', '/_emulator/tenants', CONTROL)).body.tenants).toHaveLength(1);
  });

  it('tokens', async () => {
    const { body } = await fleet.callOn(0, 'POST', '/tokens', { body: { type: 'card', data: CARD } });
    expect((await fleet.callOn(1, 'GET', `/tokens/${body.id}`)).body.data).toEqual(CARD);
    await fleet.callOn(2, 'PATCH', `/tokens/${body.id}`, { body: { metadata: { k: 'v' } } });
    expect((await fleet.callOn(0, 'GET', '/tokens?metadata.k=v')).body.pagination.total_items).toBe(1);
    await fleet.callOn(1, 'DELETE', `/tokens/${body.id}`);
    expect((await fleet.callOn(2, 'GET', `/tokens/${body.id}`)).status).toBe(404);
  });

  it('applications, their permissions and keys', async () => {
    const as = 'management';
    const body = { name: 'x', type: 'private', permissions: ['token:create'] };
    const { id, key } = (await fleet.callOn(0, 'POST', '/applications', { as, body })).body;
    const create = { key, body: { type: 'token', data: 1 } };
    expect((await fleet.callOn(1, 'POST', '/tokens', create)).status).toBe(201);
    await fleet.callOn(2, 'PUT', `/applications/${id}`, {
      as,
      body: { name: 'x', permissions: ['token:read'] },
    });
    expect((await fleet.callOn(1, 'POST', '/tokens', create)).status).toBe(403);
    const renewed = (await fleet.callOn(0, 'POST', `/applications/${id}/regenerate`, { as })).body.key;
    expect((await fleet.callOn(1, 'GET', '/applications/key', { key })).status).toBe(401);
    expect((await fleet.callOn(1, 'GET', '/applications/key', { key: renewed })).status).toBe(200);
    await fleet.callOn(2, 'DELETE', `/applications/${id}`, { as });
    expect((await fleet.callOn(1, 'GET', '/applications/key', { key: renewed })).status).toBe(401);
  });

  it('tenants that are created, renamed and deleted', async () => {
    const { keys } = (
      await fleet.callOn(0, 'POST', '/_emulator/tenants', { ...CONTROL, body: { name: 'y' } })
    ).body;
    const { management: key } = keys;
    expect((await fleet.callOn(1, 'GET', '/tenants/self', { key })).body.name).toBe('y');
    expect((await fleet.callOn(2, 'GET', '/_emulator/tenants', CONTROL)).body.tenants).toHaveLength(2);
    await fleet.callOn(1, 'PUT', '/tenants/self', { key, body: { name: 'z' } });
    expect((await fleet.callOn(2, 'GET', '/tenants/self', { key })).body.name).toBe('z');
    await fleet.callOn(2, 'DELETE', '/tenants/self', { key });
    expect((await fleet.callOn(0, 'GET', '/tenants/self', { key })).status).toBe(401);
    expect((await fleet.callOn(1, 'GET', '/_emulator/tenants', CONTROL)).body.tenants).toHaveLength(1);
  });

  it('the code of reactors, also of one that is warm', async () => {
    const as = 'management';
    const code = (raw: number) => `module.exports = async () => ({ raw: ${raw} });`;
    const id = await createReactor(fleet, code(1));
    const react = async (index: number) =>
      (await fleet.callOn(index, 'POST', `/reactors/${id}/react`, { body: {} })).body.raw;
    expect([await react(0), await react(1)]).toEqual([1, 1]);
    await fleet.callOn(2, 'PATCH', `/reactors/${id}`, { as, body: { code: code(2) } });
    expect([await react(0), await react(1)]).toEqual([2, 2]);
  });

  it('the clock as it was set, frozen and advanced, also if they start later', async () => {
    const fleet = await startFleet();
    await fleet.callOn(0, 'PUT', '/_emulator/clock', { ...CONTROL, body: { now: '2031-01-01T00:00:00Z' } });
    await fleet.callOn(1, 'PUT', '/_emulator/clock', { ...CONTROL, body: { frozen: true } });
    await fleet.callOn(2, 'PUT', '/_emulator/clock', { ...CONTROL, body: { advance: '1h' } });
    const { body } = await fleet.callOn(0, 'GET', '/_emulator/clock', CONTROL);
    expect([body.frozen, body.now.slice(0, 16)]).toEqual([true, '2031-01-01T01:00']);
    const later = await fleet.add();
    expect(later.clock.timestamp()).toBe(body.now);
  });

  it('faults, whose times are counted over all', async () => {
    const body = { operation: 'tenants.get', status: 503, times: 2 };
    await fleet.callOn(0, 'POST', '/_emulator/faults', { ...CONTROL, body });
    const get = (index: number) => fleet.callOn(index, 'GET', '/tenants/self', { as: 'management' });
    expect(statuses([await get(1), await get(2), await get(0)])).toEqual([200, 503, 503]);
    await fleet.callOn(0, 'POST', '/_emulator/faults', { ...CONTROL, body: { ...body, times: 3 } });
    const answers = await Promise.all([0, 1, 2, 0, 1, 2].map(get));
    expect(statuses(answers)).toEqual([200, 200, 200, 503, 503, 503]);
  });

  it('the clock of a tenant, which moves no other tenant', async () => {
    const { path, key } = await createTenant();
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const body = { id: 'expiring', type: 'token', data: 1, expires_at };
    await fleet.callOn(0, 'POST', '/tokens', { key, body });
    await fleet.callOn(0, 'POST', '/tokens', { body });
    await fleet.callOn(1, 'PUT', `${path}/clock`, { ...CONTROL, body: { advance: '2h' } });
    expect((await fleet.callOn(2, 'GET', '/tokens/expiring', { key })).status).toBe(404);
    expect((await fleet.callOn(2, 'GET', '/tokens/expiring')).status).toBe(200);
    const clocks = await Promise.all(
      [0, 2].map((index) => fleet.callOn(index, 'GET', `${path}/clock`, CONTROL)),
    );
    for (const { body } of clocks) expect(Math.abs(body.offset_ms - 7_200_000)).toBeLessThan(1_000);
    await fleet.callOn(2, 'PUT', `${path}/clock`, { ...CONTROL, body: { reset: true } });
    const { offset_ms } = (await fleet.callOn(0, 'GET', `${path}/clock`, CONTROL)).body;
    expect(Math.abs(offset_ms)).toBeLessThan(1_000);
  });

  it('the reset of a tenant, which leaves the others as they are', async () => {
    const { path, key } = await createTenant();
    const body = { id: 'before', type: 'token', data: 1 };
    await fleet.callOn(0, 'POST', '/tokens', { key, body });
    await fleet.callOn(0, 'POST', '/tokens', { body });
    expect((await fleet.callOn(2, 'GET', '/tokens/before', { key })).status).toBe(200);
    expect((await fleet.callOn(1, 'POST', `${path}/reset`, CONTROL)).status).toBeLessThan(300);
    for (const index of [0, 2]) {
      expect((await fleet.callOn(index, 'GET', '/tokens/before', { key })).status).toBe(404);
      expect((await fleet.callOn(index, 'GET', '/tokens/before')).status).toBe(200);
    }
    expect((await fleet.callOn(0, 'POST', '/tokens', { key, body })).status).toBe(201);
    expect((await fleet.callOn(2, 'GET', '/tokens/before', { key })).status).toBe(200);
  });

  it('webhooks, which get the events of all in order', async () => {
    const as = 'management';
    const receiver = await startReceiver();
    const body = { name: 'w', url: receiver.url, events: ['token.created', 'token.deleted'] };
    await fleet.callOn(0, 'POST', '/webhooks', { as, body });
    const { id } = (await fleet.callOn(1, 'POST', '/tokens', { body: { type: 'token', data: 1 } })).body;
    await fleet.callOn(2, 'DELETE', `/tokens/${id}`);
    await receiver.arrived(2);
    expect(receiver.bodies().map(({ event }) => event.type)).toEqual(['token.created', 'token.deleted']);
  });

  it('allowed origins', async () => {
    const fleet = await startFleet({ allowOrigins: ['https://one.example'] });
    const body = { origin: 'https://two.example' };
    await fleet.callOn(0, 'POST', '/_emulator/origins', { ...CONTROL, body });
    const { origins } = (await fleet.callOn(1, 'GET', '/_emulator/origins', CONTROL)).body;
    expect(origins).toEqual(['https://one.example', 'https://two.example']);
  });

  it('a reset, and a snapshot', async () => {
    await fleet.callOn(0, 'POST', '/tokens', { body: { id: 'before', type: 'token', data: 1 } });
    await fleet.callOn(0, 'POST', '/_emulator/snapshots', { ...CONTROL, body: { name: 's' } });
    await fleet.callOn(1, 'POST', '/_emulator/reset', CONTROL);
    expect((await fleet.callOn(2, 'GET', '/tokens/before')).status).toBe(404);
    await fleet.callOn(2, 'POST', '/_emulator/snapshots/s/restore', CONTROL);
    expect((await fleet.callOn(0, 'GET', '/tokens/before')).status).toBe(200);
  });
});

it.skipIf(!hasPostgres)('a start with another --clock than the last one sets the clock of all', async () => {
  const url = await newDatabase();
  const clock = Date.UTC(2031, 0, 1);
  const later = Date.UTC(2032, 0, 1);
  const first = await Fleet.use(url, 2, { clock });
  await first.call('PUT', '/_emulator/clock', { ...CONTROL, body: { advance: '24h' } });
  const same = await Fleet.use(url, 1, { clock });
  const dayOf = async (fleet: Fleet) =>
    (await fleet.call('GET', '/_emulator/clock', CONTROL)).body.now.slice(0, 10);
  expect([await dayOf(first), await dayOf(same)]).toEqual(['2031-01-02', '2031-01-02']);
  const other = await Fleet.use(url, 1, { clock: later });
  expect([await dayOf(other), await dayOf(first), await dayOf(first)]).toEqual(Array(3).fill('2032-01-01'));
});

describe.skipIf(!hasPostgres)('emulators on one PostgreSQL database show what all of them do', () => {
  it('requests, in the stream and the counters', async () => {
    const fleet = await startFleet();
    const paths = [0, 1, 2].map((index) => {
      const all: string[] = [];
      fleet.on(index).subscribe((event) => event.kind === 'request' && all.push(event.path));
      return all;
    });
    for (const index of [0, 1, 2])
      await fleet.callOn(index, 'POST', '/tokens', { body: { id: `by-${index}`, type: 'token', data: 1 } });
    const totalOn = async (index: number) =>
      (await fleet.callOn(index, 'GET', '/_emulator/stats', CONTROL)).body.requests.total;
    for (const [index, seen] of paths.entries()) {
      await expect.poll(() => seen).toEqual(['/tokens', '/tokens', '/tokens']);
      await expect.poll(() => totalOn(index)).toBe(3);
    }
    const seen: string[] = [];
    fleet.on(1).subscribe((event) => event.kind === 'request' && seen.push(event.method));
    await fleet.callOn(0, 'DELETE', '/tokens/by-0');
    await expect.poll(() => seen).toEqual(['DELETE']);
  });

  it('traces of reactors, and each once', async () => {
    const fleet = await startFleet();
    const id = await createReactor(fleet, 'module.exports = async () => ({ raw: 1 });');
    const { headers } = await fleet.callOn(0, 'POST', `/reactors/${id}/react`, { body: {} });
    const path = `/_emulator/traces/${headers.get('svc-trace-id')}`;
    await expect.poll(async () => (await fleet.callOn(2, 'GET', path, CONTROL)).body.traces?.length).toBe(1);
    const [own, other] = await Promise.all(
      [0, 2].map(async (index) => (await fleet.callOn(index, 'GET', path, CONTROL)).body),
    );
    expect(other).toEqual(own);
  });
});

describe.skipIf(!hasPostgres)('emulators on one PostgreSQL database decide once', () => {
  it('which of equal tokens is stored', async () => {
    const body = { type: 'card', data: CARD, deduplicate_token: true };
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => fleet.call('POST', '/tokens', { body })),
    );
    expect(statuses(answers)).toEqual([...Array(8).fill(200), 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect((await fleet.call('GET', '/tokens')).body.pagination.total_items).toBe(1);
  });

  it('what an idempotency key does', async () => {
    const request = { body: { type: 'token', data: 1 }, idempotencyKey: 'once' };
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => fleet.call('POST', '/tokens', request)),
    );
    expect(new Set(statuses(answers))).toEqual(
      new Set(answers.some(({ status }) => status === 409) ? [201, 409] : [201]),
    );
    const repeated = await fleet.call('POST', '/tokens', request);
    expect(repeated.status).toBe(201);
    for (const { status, body } of answers) if (status === 201) expect(body).toEqual(repeated.body);
    expect((await fleet.call('GET', '/tokens')).body.pagination.total_items).toBe(1);
  });

  // Fault: idempotency | process ends before the response is stored | PostgreSQL
  it('an idempotency key whose process ends before it can store the response: nothing is changed again', async () => {
    const server = await sharedPostgres();
    const url = await server.createDatabase();
    const fleet = await Fleet.use(url, 2);
    const as = 'management';
    const receiver = await startReceiver();
    await fleet.call('POST', '/webhooks', {
      as,
      body: { name: 'w', url: receiver.url, events: ['token.created'] },
    });
    const access = { type: 'private', permissions: ['token:create'] };
    const application = (await fleet.call('POST', '/applications', { as, body: { name: 'a', ...access } }))
      .body;
    const gate = await startGate();
    const code = `module.exports = async ({ svc, configuration }) => {
      await svc.tokens.create({ type: 'token', data: 1 });
      await fetch(configuration.GATE);
      throw new Error('after the gate');
    };`;
    const configuration = { GATE: gate.url };
    const id = await createReactor(fleet, code, { configuration, application: { id: application.id } });
    const react = async (index: number) => {
      const request = { body: { args: {} }, idempotencyKey: 'k' };
      return (await fleet.callOn(index, 'POST', `/reactors/${id}/react`, request)).body.detail;
    };
    const first = react(0);
    await receiver.arrived(1);
    expect(await react(1)).toContain('is in flight');
    // What happens when the lease of a process that was killed ends.
    await server.query('DELETE FROM tokenctl.claims', url);
    expect(await react(1)).toContain('was carried out, but its response was lost');
    expect((await fleet.call('GET', '/tokens')).body.pagination.total_items).toBe(1);
    // The process lives, after all, and its request fails: the key may be used again.
    gate.open();
    expect(await first).toContain('after the gate');
    expect(await react(1)).toContain('after the gate');
  });

  it('returns the stored response with token data from any process, until its token is deleted', async () => {
    const code = 'let calls = 0; module.exports = async ({ args }) => ({ raw: [args.card, ++calls] });';
    const id = await createReactor(fleet, code);
    const token = (await fleet.call('POST', '/tokens', { body: { type: 'token', data: 'secret' } })).body;
    const request = { body: { args: { card: `{{ ${token.id} }}` } }, idempotencyKey: 'k' };
    const path = `/reactors/${id}/react`;
    for (const index of [0, 1, 2]) {
      expect((await fleet.callOn(index, 'POST', path, request)).body).toEqual({ raw: ['secret', 1] });
    }
    await fleet.call('DELETE', `/tokens/${token.id}`);
    expect((await fleet.call('POST', path, request)).status).toBe(400);
  });

  it('forgets stored responses when the permissions of the application change', async () => {
    const as = 'management';
    const access = { type: 'private', permissions: ['token:create', 'token:read'] };
    const { id, key } = (await fleet.call('POST', '/applications', { as, body: { name: 'x', ...access } }))
      .body;
    const request = { key, body: { type: 'token', data: 1 }, idempotencyKey: 'k' };
    const before = await fleet.callOn(0, 'POST', '/tokens', request);
    const body = { name: 'x', permissions: ['token:create'] };
    await fleet.callOn(1, 'PUT', `/applications/${id}`, { as, body });
    const after = await fleet.callOn(2, 'POST', '/tokens', request);
    expect([before.status, after.status, before.body.id === after.body.id]).toEqual([201, 201, false]);
  });

  it('how many requests a client may send', async () => {
    const fleet = await startFleet({ rateLimit: true, rateLimitScale: 0.05 });
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => fleet.call('POST', '/tokens', { body: { type: 'token', data: 1 } })),
    );
    expect(statuses(answers)).toEqual([...Array(10).fill(201), ...Array(5).fill(429)]);
    const limited = answers.find(({ status }) => status === 429);
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  // Fault: delivery | process stops | PostgreSQL
  it('who delivers a callback: one at a time, and another one after its process has stopped', async () => {
    const fleet = await startFleet();
    const id = await createReactor(fleet, 'module.exports = async () => ({ raw: 1 });');
    const receiver = await startReceiver(() => (receiver.received.length <= 2 ? 503 : 200));
    const body = { args: {}, callback_url: receiver.url };
    const asked = await fleet.callOn(0, 'POST', `/reactors/${id}/react`, { body });
    expect(asked.status).toBe(202);
    await receiver.arrived(1);
    await fleet.emulators.shift()?.close();
    await receiver.arrived(3);
    const pending = async () =>
      (await fleet.callOn(0, 'GET', '/_emulator/deliveries', CONTROL)).body.deliveries;
    await expect.poll(pending).toEqual([]);
    const ids = receiver.received.map(({ headers }) => headers['svc-request-id']);
    expect(ids).toEqual(Array(3).fill(asked.headers.get('svc-request-id')));
  });
});

it.skipIf(!hasPostgres)('restores at the same time lose no entry of the audit log', async () => {
  const warnings: string[] = [];
  const logger = { info: () => {}, warn: (text: string) => warnings.push(text), error: () => {} };
  const alone = await Fleet.use(await newDatabase(), 1, { logger });
  await alone.call('POST', '/tokens', { body: { type: 'token', data: 1 } });
  await alone.call('POST', '/_emulator/snapshots', { ...CONTROL, body: { name: 's' } });
  for (let round = 0; round < 5; round++) {
    const restores = Array.from({ length: 5 }, () =>
      alone.call('POST', '/_emulator/snapshots/s/restore', CONTROL),
    );
    expect(statuses(await Promise.all(restores))).toEqual(Array(5).fill(204));
  }
  expect((await alone.call('GET', '/logs', { as: 'management' })).body.pagination.total_items).toBe(1);
  expect(warnings).toEqual([]);
});

describe.skipIf(!hasPostgres)('emulators on a PostgreSQL database that goes away', () => {
  it.each(['crash', 'fast'] as const)('answer 503 with Retry-After, then work again: %s', async (how) => {
    const server = await PostgresServer.start();
    onTestFinished(() => server.stop());
    const fleet = await Fleet.use(await server.createDatabase(), 2);
    const create = () => fleet.call('POST', '/tokens', { body: { type: 'token', data: 1 } });
    expect((await create()).status).toBe(201);
    await server.stop(how);
    for (const answer of [await create(), await create(), await fleet.call('GET', '/tokens')]) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    }
    expect(await fleet.call('GET', '/_emulator/health')).toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        store: { kind: 'postgres', state: 'unavailable', error: 'ECONNREFUSED' },
      },
    });
    expect((await fleet.call('GET', '/_emulator/ready')).status).toBe(503);
    const metrics = await fleet.scrape(0);
    expect(metrics).toContain('\ntokenctl_store_up 0\n');
    expect(metrics).toContain('\ntokenctl_requests_total{operation="tokens.create",status="503"}');
    await server.resume();
    expect((await fleet.call('GET', '/_emulator/ready')).status).toBe(200);
    expect(statuses([await create(), await create(), await create()])).toEqual([201, 201, 201]);
    expect((await fleet.call('GET', '/tokens')).body.pagination.total_items).toBe(4);
  });
});
