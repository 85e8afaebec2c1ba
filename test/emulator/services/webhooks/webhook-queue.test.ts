import { describe, expect, it, test, vi } from 'vitest';
import { retryDelayMs } from '../../../../emulator/services/webhooks/delivery-record.js';
import { signingKeyOf } from '../../../../emulator/services/webhooks/signing-key.js';
import { createMemoryStore } from '../../../../emulator/store/memory-store.js';
import type { TenantRecord } from '../../../../emulator/store/records.js';
import { LIMITS } from '../../../../src/contract/limits.js';
import { useReceiver } from '../../../support/http-server.js';
import { PATIENCE } from '../../../support/patience.js';
import { controlOf, createReactor, useServer } from '../../../support/test-server.js';
import { width } from '../../../support/width.js';

const server = useServer();
const control = controlOf(server);
const receiver = useReceiver();
const ECHO = 'module.exports = async (req) => ({ raw: req.args });';

/** Lets the receiver answer with these statuses in turn, then with 204. */
function answerWith(...statuses: number[]): void {
  receiver.answer = () => statuses.shift() ?? 204;
}

function start(id: string, body: object = {}) {
  return server.post(`/reactors/${id}/react`, { callback_url: `${receiver.url}/hook`, ...body });
}

const delivered = (count = 1) => receiver.arrived(count);

describe('react with callback_url', () => {
  it('answers 202 with an empty body and SVC-REQUEST-ID, then posts the body of the synchronous response', async () => {
    const token = await server.token({ type: 'token', data: 'secret' });
    const id = await createReactor(server, ECHO);
    const answer = await start(id, { args: { a: `{{${token.id}}}` } });
    expect([answer.status, answer.body]).toEqual([202, undefined]);
    const requestId = answer.headers.get('svc-request-id');
    const { headers, body, path } = await delivered();
    expect(path).toBe('/hook');
    expect(JSON.parse(body)).toEqual({ raw: { a: 'secret' } });
    expect(headers).toMatchObject({ 'svc-request-id': requestId, 'content-type': 'application/json' });
  });

  it('posts the problem details of a failure', async () => {
    const code = "module.exports = async () => { throw Object.assign(new Error('no'), { status: 402 }); };";
    const answer = await start(await createReactor(server, code));
    const { body } = await delivered();
    expect(JSON.parse(body)).toMatchObject({
      status: 402,
      title: 'Payment Required',
      errors: { error: ['no'] },
      instance: answer.headers.get('svc-trace-id'),
    });
  });

  it('errors that are found before the code runs are returned immediately', async () => {
    const id = await createReactor(server, ECHO);
    const unparsable = await createReactor(server, 'module.exports = {');
    const use = {
      rules: [{ priority: 1, container: '/a/', transform: 'reveal', permissions: ['token:use'] }],
    };
    const key = await server.application(use);
    const token = await server.token({ type: 'token', data: 'x', containers: ['/b/'] });
    const body = { callback_url: `${receiver.url}/hook` };
    const args = { a: `{{${token.id}}}` };
    const statusOf = async (path: string, request: object, options = {}) =>
      (await server.post(path, { ...body, ...request }, options)).status;
    expect(await statusOf(`/reactors/${id}/react`, { args: { a: '{{ unknown }}' } })).toBe(400);
    expect(await statusOf(`/reactors/${id}/react`, { args }, { key })).toBe(403);
    expect(await statusOf(`/reactors/${crypto.randomUUID()}/react`, {})).toBe(404);
    expect(await statusOf(`/reactors/${unparsable}/react`, {})).toBe(422);
    expect(receiver.received).toEqual([]);
  });

  // Ten seconds are the shortest limit.
  it.runIf(width(false, true))('waits as long as timeout_ms says, and no longer', async () => {
    const slow = 'module.exports = () => new Promise((done) => setTimeout(done, 12_000, { raw: "late" }));';
    const id = await createReactor(server, slow);
    await start(id);
    await start(id, { timeout_ms: 60_000 });
    await delivered(2);
    expect(receiver.bodies()).toContainEqual({ raw: 'late' });
    expect(receiver.bodies()).toContainEqual(
      expect.objectContaining({ status: 500, title: 'Reactor Runtime Error' }),
    );
  });
});

// Fault: delivery | receiver fails, is away, late; restore | memory
describe('delivery', () => {
  it('any status but 2xx is retried with the same request id and body and a new signature', async () => {
    answerWith(500, 302, 404);
    await start(await createReactor(server, ECHO), { args: { n: 1 } });
    await delivered(1);
    // The next tries are due after 1, 2 and 4 seconds of the emulator's clock; the last of them is taken.
    await vi.waitFor(async () => {
      await server.emulator.clock.advance(4_000);
      expect(receiver.received).toHaveLength(4);
    }, PATIENCE);
    const [first, ...others] = receiver.received;
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook', '/hook', '/hook']);
    for (const other of others) {
      expect(other.body).toBe(first?.body);
      expect(other.headers['svc-request-id']).toBe(first?.headers['svc-request-id']);
    }
    await server.emulator.clock.advance(3_600_000);
    expect(receiver.received).toHaveLength(4);
  });

  it('backs off exponentially, up to 10 more tries in 17 minutes', () => {
    const delays = Array.from({ length: LIMITS.callback.retries }, (_, i) => retryDelayMs(i + 1) ?? 0);
    expect(delays.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(Math.round(delays.reduce((sum, ms) => sum + ms) / 60_000)).toBe(17);
    expect(retryDelayMs(LIMITS.callback.retries + 1)).toBeUndefined();
  });

  it('stops after the last retry', async () => {
    receiver.answer = () => 503;
    await start(await createReactor(server, ECHO));
    await delivered(1);
    await vi.waitFor(async () => {
      await server.emulator.clock.advance(1_000_000);
      expect((await control.get('/deliveries')).body.deliveries).toEqual([]);
    }, PATIENCE);
    await server.emulator.clock.advance(86_400_000);
    expect(receiver.received).toHaveLength(11);
  });

  it('a callback in flight while a snapshot is restored is not sent twice', async () => {
    const answers: (() => void)[] = [];
    receiver.answer = () => new Promise((resolve) => void answers.push(() => resolve(204)));
    const id = await createReactor(server, ECHO);
    await start(id, { args: { n: 1 } });
    await delivered(1);
    await start(id, { args: { n: 2 } });
    // A receiver that has answered while another one waits gets several at a time.
    await expect.poll(async () => (await control.get('/deliveries')).body.deliveries.length).toBe(2);
    answers[0]?.();
    await delivered(2);
    expect((await control.post('/snapshots', { name: 'sending' })).status).toBe(201);
    expect((await control.post('/snapshots/sending/restore')).status).toBe(204);
    await start(id, { args: { n: 3 } });
    await delivered(3);
    for (const answer of answers) answer();
    receiver.answer = () => 204;
    await start(id, { args: { n: 4 } });
    await delivered(4);
    expect(receiver.bodies().map(({ raw }) => raw.n)).toEqual([1, 2, 3, 4]);
  });

  describe('a callback is sent again', () => {
    const resend = (id: string | null) => control.post(`/deliveries/${id}/resend`);

    it('after it was delivered: with the same body and request id, and a new signature', async () => {
      const token = await server.token({ type: 'token', data: 'secret' });
      const answer = await start(await createReactor(server, ECHO), { args: { a: `{{${token.id}}}` } });
      const requestId = answer.headers.get('svc-request-id');
      await delivered(1);
      await expect.poll(async () => (await resend(requestId)).status).toBe(202);
      const again = await delivered(2);
      expect(again.body).toBe(receiver.received[0]?.body);
      expect(again.headers['svc-request-id']).toBe(requestId);
      await expect.poll(async () => (await control.get('/deliveries')).body.deliveries).toEqual([]);
      await server.call('DELETE', `/tokens/${token.id}`, {});
      expect((await resend(requestId)).status).toBe(404);
    });

    it('at once while it waits for its next attempt, whose time does not matter', async () => {
      answerWith(503);
      server.emulator.clock.freeze();
      const answer = await start(await createReactor(server, ECHO));
      const requestId = answer.headers.get('svc-request-id');
      await delivered(1);
      await vi.waitFor(async () => {
        const { deliveries } = (await control.get('/deliveries')).body;
        expect(deliveries).toMatchObject([{ request_id: requestId, attempts: 1 }]);
      }, PATIENCE);
      expect((await resend(requestId)).status).toBe(202);
      await delivered(2);
      await server.emulator.clock.resume();
    });

    it('by many requests at the same time, whatever the outcome of its delivery', async () => {
      const answer = await start(await createReactor(server, ECHO));
      const requestId = answer.headers.get('svc-request-id');
      await delivered(1);
      await expect.poll(async () => (await resend(requestId)).status).toBe(202);
      const answers = await Promise.all(Array.from({ length: 20 }, () => resend(requestId)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
      await delivered(3);
    });

    it('unless nothing is known of it, or its tenant is another one', async () => {
      expect((await resend('unknown')).status).toBe(404);
      const answer = await start(await createReactor(server, ECHO));
      await delivered(1);
      const { body } = await control.post('/tenants', { name: 'other' });
      const path = `/deliveries/${answer.headers.get('svc-request-id')}/resend`;
      expect((await control.post(`/tenants/${body.tenant_id}${path}`)).status).toBe(404);
    });
  });
});

test('events at the same time make one signing key of their tenant', async () => {
  const store = createMemoryStore();
  const tenant = { id: 'tenant', created_at: '2030-01-01T00:00:00Z' } as TenantRecord;
  await store.commit([{ insert: 'tenants', record: tenant }]);
  const commit = vi.spyOn(store, 'commit');
  const keys = await Promise.all(Array.from({ length: 5 }, () => signingKeyOf('tenant', store)));
  expect(new Set(keys).size).toBe(1);
  expect(commit).toHaveBeenCalledTimes(1);
});
