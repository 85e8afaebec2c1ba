import { EventEmitter } from 'node:events';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClock } from '../../../../emulator/lib/clock.js';
import { TenantClocks } from '../../../../emulator/lib/tenant-clocks.js';
import {
  createEvent,
  createEventDelivery,
  retryDelayMs,
} from '../../../../emulator/services/webhooks/delivery-record.js';
import { DeliveryRoom } from '../../../../emulator/services/webhooks/delivery-room.js';
import type { WebhookServices } from '../../../../emulator/services/webhooks/send.js';
import { WebhookQueue } from '../../../../emulator/services/webhooks/webhook-queue.js';
import { ConflictError } from '../../../../emulator/store/errors.js';
import { createMemoryStore } from '../../../../emulator/store/memory-store.js';
import type { WebhookRecord } from '../../../../emulator/store/records.js';
import type { SharedStore, Store } from '../../../../emulator/store/store.js';
import { scheduled } from '../../../support/scheduled.js';
import { width } from '../../../support/width.js';

const tenant_id = 't';
const created_at = '2030-01-01T00:00:00.000Z';
const WEBHOOKS = ['w0', 'w1'].map(
  (id) => ({ id, tenant_id, url: `http://localhost/${id}` }) as WebhookRecord,
);

type Answer = 204 | 500 | 'error' | 'silence';

/** What a receiver gets, in place of the network. It answers in turn, then with 204. */
class Receiver {
  readonly sending = new Set<string>();
  readonly accepted: string[] = [];

  constructor(
    private readonly scheduler: fc.Scheduler,
    private readonly answers: Answer[],
    /** Called with each body that is sent. */
    private readonly check: (id: string, body: string) => void,
  ) {}

  request = (_: URL, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) => {
    const outgoing = new EventEmitter() as EventEmitter & { end(body: Buffer): void };
    const id = String(headers['svc-request-id']);
    let isOver = false;
    const end = (name: 'response' | 'error', value: unknown) => {
      if (isOver) return;
      isOver = true;
      this.sending.delete(id);
      outgoing.emit(name, value);
    };
    const abort = () => end('error', signal.reason);
    outgoing.end = async (body) => {
      this.check(id, String(body));
      this.sending.add(id);
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort);
      const answer = this.answers.shift() ?? 204;
      if (answer === 'silence') return;
      await this.scheduler.schedule(Promise.resolve(), `answer ${answer} to ${id}`);
      if (answer === 'error') return end('error', Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
      if (isOver) return;
      if (answer === 204) this.accepted.push(id);
      end('response', {
        statusCode: answer,
        rawHeaders: [],
        headers: {},
        async *[Symbol.asyncIterator]() {},
      });
    };
    return outgoing;
  };
}

/** Claims that several processes make of one store. */
function claims(): Pick<SharedStore, 'claim' | 'release'> {
  const held = new Set<string>();
  return {
    claim: async (name) => !held.has(name) && held.add(name).has(name),
    release: async (name) => void held.delete(name),
  };
}

const original = http.request;
function replaceRequest(request: unknown): void {
  http.request = request as typeof original;
  syncBuiltinESMExports();
}

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
);
afterEach(() => {
  vi.useRealTimers();
  replaceRequest(original);
});

/** What happens before a process stops and starts again: events of entities one after the other, and callbacks. */
const phase = fc.record({
  entities: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
  callbacks: fc.array(fc.boolean(), { maxLength: 2 }),
  /** Whether what is stored is scheduled again, as after a snapshot was restored. */
  isReloaded: fc.boolean(),
  turns: fc.nat({ max: 12 }),
});

// Fault: delivery | attempts, answers, deletions, stops, starts in any order | memory
test('in whatever order they happen: each delivery is sent one attempt at a time, after those before it, and accepted once', async () => {
  const answers = fc.array(fc.constantFrom<Answer>(204, 500, 'error', 'silence'), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(phase, { minLength: 1, maxLength: 2 }),
      answers,
      fc.integer({ min: 1, max: 2 }),
      async (scheduler, phases, given, processes) => {
        const kept = createMemoryStore();
        await kept.commit([
          { insert: 'tenants', record: { id: tenant_id, webhook_secret: 's', created_at } as never },
          ...WEBHOOKS.map((record) => ({ insert: 'webhooks', record }) as const),
        ]);
        const wrong: string[] = [];
        const receiver: Receiver = new Receiver(scheduler, [...given], (id, body) => {
          const order = [...orders.values()].find((one) => one.includes(id));
          const first = order?.find((one) => !receiver.accepted.includes(one));
          if (receiver.sending.has(id)) wrong.push(`${id} is sent twice at a time`);
          if (Date.now() < (due.get(id) ?? 0)) wrong.push(`${id} is sent too early`);
          if (receiver.accepted.includes(id)) wrong.push(`${id} is sent again`);
          if (order && first !== id) wrong.push(`${id} is sent before ${first}`);
          if ((results.get(id) ?? body) !== body) wrong.push(`${id} has another body`);
          if (readLate.has(id) && body.includes('secret')) wrong.push(`${id} has deleted data`);
        });
        replaceRequest(receiver.request);
        const logger = { error: (...all: unknown[]) => wrong.push(all.join(' ')), warn: () => {} } as never;
        /** The callbacks whose token was deleted, and those of them that were read for an attempt after that. */
        const results = new Map<string, string>();
        const [discarded, readLate] = [new Set<string>(), new Set<string>()];
        const get: Store['get'] = (collection, tenantId, id) => {
          if (discarded.has(id)) readLate.add(id);
          return kept.get(collection, tenantId, id);
        };
        const shared = processes > 1 ? { get, shared: claims() as SharedStore } : { get };
        const store = scheduled(scheduler, kept, ['get', 'find', 'commit'], shared);
        /** The deliveries of each order key that are to come. */
        const orders = new Map<string, string[]>();
        const expected: string[] = [];
        const [attempts, due] = [new Map<string, number>(), new Map<string, number>()];
        let ids = 0;
        const nextId = () => {
          ids += 1;
          return `d${ids}`;
        };
        const startOne = () => {
          const services: WebhookServices = {
            ...{ store, logger, room: new DeliveryRoom(store), ids: { uuid: nextId } },
            clocks: new TenantClocks(createClock(logger)),
            headers: { requestId: 'svc-request-id', signature: 's', signatureVersion: 'v' } as never,
            redirects: { networkOf: () => ({ mode: 'loopback' }) },
            records: {
              add: (({ request_id, attempt }: { request_id: string; attempt: number }) => {
                const before = attempts.get(request_id) ?? 0;
                if (attempt !== before + 1)
                  wrong.push(`attempt ${attempt} of ${request_id} follows ${before}`);
                attempts.set(request_id, attempt);
                due.set(request_id, Date.now() + (retryDelayMs(attempt) ?? 0));
              }) as never,
            },
          };
          const queue = new WebhookQueue(services);
          queue.start();
          return { queue, services };
        };
        let running = Array.from({ length: processes }, startOne);
        const any = () => running[ids % processes] as (typeof running)[0];

        const live = async (entity: string, events: number) => {
          for (let at = 0; at < events; at += 1) {
            const { queue, services } = any();
            const data = { token: { id: entity } };
            const event = {
              ...{ id: `${entity} ${at}`, type: 'token.updated', timestamp: created_at },
              tenant_id,
              data,
            };
            const record = createEvent(services.ids.uuid(), event, new Date().toISOString());
            const deliveries = WEBHOOKS.map((webhook) =>
              createEventDelivery(services.ids.uuid(), { event }, record, webhook, 'secret'),
            );
            for (const { id, order } of deliveries) {
              const key = order?.key ?? '';
              orders.set(key, [...(orders.get(key) ?? []), id]);
              expected.push(id);
            }
            await store.commit([
              { insert: 'events', record },
              ...deliveries.map((one) => ({ insert: 'deliveries', record: one }) as const),
            ]);
            queue.deliver(deliveries);
          }
        };
        const reload = async () => {
          await scheduler.schedule(Promise.resolve(), 'reload');
          await any().queue.load();
        };
        const callBack = async (token: string, isDeleted: boolean, isReloaded: boolean) => {
          const { queue } = any();
          const record = { id: token, tenant_id, data: 'x', containers: ['/'], created_at };
          await store.commit([{ insert: 'tokens', record: { ...record, type: 'token' } }]);
          const pending = {
            ...{ tenantId: tenant_id, reactorId: 'r', url: 'http://localhost/back', traceId: '' },
            tokenIds: new Set([token]),
          };
          const work = () => scheduler.schedule(Promise.resolve(`secret of ${token}`), 'reactor');
          const id = await queue.enqueue(pending, async () => {}, work, store);
          expected.push(id);
          if (!isDeleted) results.set(id, `secret of ${token}`);
          // While its reactor runs.
          if (isReloaded) await reload();
          if (!isDeleted) return;
          await remove(token);
          discarded.add(id);
        };
        const remove = async (token: string) => {
          for (;;)
            try {
              const changes = await any().queue.discardForTokens(tenant_id, [token]);
              await store.commit([{ remove: 'tokens', tenantId: tenant_id, id: token }, ...changes]);
              return;
            } catch (error) {
              if (!(error instanceof ConflictError)) throw error;
            }
        };
        const passTime = async () => {
          await scheduler.schedule(Promise.resolve(), 'time passes');
          vi.advanceTimersByTime(6_000);
        };
        const stop = async () => {
          for (const { queue } of running) queue.stop();
          await Promise.all(running.map(({ queue }) => queue.drain()));
        };
        const all = async () => {
          for (const [number, { entities, callbacks, isReloaded, turns }] of phases.entries()) {
            if (number > 0) {
              await stop();
              running = running.map(startOne);
            }
            await Promise.all([
              isReloaded && reload(),
              ...entities.map((events, at) => live(`e${at}`, events)),
              ...callbacks.map((isDeleted, at) => callBack(`${number} ${at}`, isDeleted, isReloaded)),
            ]);
            for (let turn = 0; turn < turns; turn += 1) await passTime();
          }
          for (let left = 60; left > 0 && (await kept.find('deliveries', {})).total > 0; left -= 1) {
            // Until then, all that can happen has happened.
            await new Promise(setImmediate);
            await passTime();
          }
          await stop();
        };
        await scheduler.waitFor(all());
        expect(wrong).toEqual([]);
        expect([...receiver.accepted].sort()).toEqual([...expected].sort());
        for (const collection of ['deliveries', 'events'] as const)
          expect((await kept.find(collection, {})).total).toBe(0);
        await kept.close();
      },
    ),
    { numRuns: width(150, 3_000) },
  );
});
