import { expect, test } from 'vitest';
import type { Caller } from '../../../../emulator/access/caller-registry.js';
import { RequestRecords } from '../../../../emulator/services/request-record/request-records.js';
import type { RequestEvent } from '../../../../src/contract/control/events.js';

const MB = 1024 ** 2;
const time = '2031-01-01T00:00:00.000Z';
const clock = { timestamp: () => time };
const content = { headers: {}, query: {}, body: undefined, response: undefined };
const reactor = { id: 'r', tenant_id: 't', name: 'reactor' };

const callerOf = (tenant_id: string) =>
  ({ application: { id: 'a', tenant_id }, actor: { id: 'a', type: 'application' } }) as unknown as Caller;

function eventOf(trace_id: string, tenant_id: string): RequestEvent {
  const request = { kind: 'request', time, trace_id, method: 'GET', path: '/tokens' } as const;
  return { ...request, status: 200, duration_ms: 1, tenant_id };
}

/** Records an answered request that invoked a reactor. */
function request(records: RequestRecords, traceId: string, tenantId = 't') {
  const record = records.begin(traceId);
  record.beginCall(callerOf(tenantId), 0).add({ scope: 'operation', permission: 'token:use' });
  const invocation = record.beginInvocation({ ...reactor, tenant_id: tenantId }, 0, clock);
  const log = (message: string) =>
    invocation.console({ level: 'log', message, traceId, reactorId: 'r', time: 0 });
  record.end(eventOf(traceId, tenantId), content);
  return { log, traceId };
}

const traceIdsOf = (records: RequestRecords, tenantId?: string) =>
  records.requests(tenantId).map(({ event }) => event.trace_id);

test('all that is remembered of requests takes at most 8 MB together', () => {
  const records = new RequestRecords();
  for (let i = 0; i < 100; i++) request(records, `${i}`).log('x'.repeat(MB / 4));
  const events = records.events('t');
  expect(JSON.stringify(events).length).toBeLessThan(8 * MB);
  expect(JSON.stringify(events).length).toBeGreaterThan(3 * MB);
  expect(traceIdsOf(records).at(-1)).toBe('99');
  expect(records.invocations('0')).toEqual([]);
});

test('one request cannot fill the list: its oldest events are dropped, its invocation stays', () => {
  const records = new RequestRecords();
  request(records, 'before');
  const { log } = request(records, 'flood');
  for (let i = 0; i < 3_000; i++) log(`${i} ${'x'.repeat(10_000)}`);
  expect(JSON.stringify(records.events()).length).toBeLessThan(3 * MB);
  expect(records.events().at(-1)).toMatchObject({ message: expect.stringMatching(/^2999 /) });
  expect(records.invocations('flood')).toMatchObject([{ cut: true }]);
  expect(traceIdsOf(records)).toEqual(['before', 'flood']);
});

test('a request that goes on after its response keeps its place, and comes back if it was dropped', () => {
  const records = new RequestRecords();
  const { log } = request(records, 'first');
  request(records, 'second');
  log('later');
  expect(traceIdsOf(records)).toEqual(['first', 'second']);
  expect(records.events().map(({ kind }) => kind)).toEqual(['request', 'request', 'reactor.log']);
  for (let i = 0; i < 1_000; i++) request(records, `${i}`);
  expect(records.calls('first')).toEqual([]);
  log('much later');
  expect(records.calls('first')).toHaveLength(1);
  expect(records.invocations('first')[0]?.console.map(({ message }) => message)).toContain('much later');
});

test('deliveries and requests of other processes push out no request of this one', () => {
  const records = new RequestRecords();
  request(records, 'own');
  for (let i = 0; i < 2_000; i++) records.adopt(eventOf(`${i}`, 't'));
  expect(traceIdsOf(records, 't')).toEqual(['own']);
  expect(records.events('t')).toHaveLength(1_001);
});

test('of a tenant that is cleared, only the events are left, in the list of all', () => {
  const records = new RequestRecords();
  request(records, 'gone', 'one');
  request(records, 'kept', 'other');
  records.clear('one');
  expect([records.events('one'), records.requests('one')]).toEqual([[], []]);
  expect([records.calls('gone'), records.invocations('gone')]).toEqual([[], []]);
  expect(traceIdsOf(records)).toEqual(['gone', 'kept']);
  expect(records.calls('kept', 'other')).toHaveLength(1);
  expect(records.calls('kept', 'one')).toEqual([]);
  records.clear();
  expect(records.events()).toEqual([]);
});
