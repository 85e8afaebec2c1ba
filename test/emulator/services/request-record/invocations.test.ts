import { describe, expect, it, test } from 'vitest';
import type { Caller } from '../../../../emulator/access/caller-registry.js';
import { RequestRecords } from '../../../../emulator/services/request-record/request-records.js';
import type { RequestEvent } from '../../../../src/contract/control/events.js';
import { maskBody, maskHeaders, maskUrl } from '../../../../src/contract/masking.js';
import { useStub } from '../../../support/http-server.js';
import {
  controlOf,
  createApplication,
  createReactor,
  react,
  run,
  useServer,
} from '../../../support/test-server.js';

const server = useServer();
const control = controlOf(server);
const processor = useStub({ path: '/bins?bin=424242', body: {} }, { status: 401 });

async function traceOf(traceId: string | null) {
  const answer = await control.get(`/traces/${traceId}`);
  expect(answer.status).toBe(200);
  return answer.body.traces;
}

describe('/_emulator/traces/{trace id}', () => {
  it('contains the duration of each phase, the console, and requests with masked data', async () => {
    const code = `module.exports = async ({ args, configuration }) => {
      console.log('charging', { amount: args.amount });
      console.error('a warning of %d', 1);
      await fetch(configuration.URL + '/bins?bin=424242', { headers: { Authorization: 'Bearer sk_secret' } });
      await fetch(configuration.URL + '/v1/payment_intents/4242424242424242', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ card: { number: args.number }, amount: 1999, capture: true }),
      });
      return { raw: {}, tokenize: args.number };
    };`;
    const token = await server.token({ type: 'card_number', data: '4242424242424242' });
    const args = { number: `{{ ${token.id} }}`, amount: 1 };
    const answer = await run(server, code, args, { configuration: { URL: processor.url } });
    const [trace, ...others] = await traceOf(answer.headers.get('svc-trace-id'));
    expect(others).toEqual([]);
    expect(trace).toMatchObject({ status: 200, depth: 0, cold: true, cut: false });
    expect(Object.keys(trace.phases_ms).sort()).toEqual(['detokenize', 'load', 'queue', 'run', 'tokenize']);
    expect(trace.total_ms).toBeGreaterThan(trace.phases_ms.run);
    const { detokenize, queue, load, run: ran, tokenize } = trace.starts_ms;
    const starts = [0, detokenize, queue, load, ran, tokenize, trace.total_ms];
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    for (const { offset_ms } of trace.requests) expect(offset_ms).toBeLessThan(trace.total_ms);
    expect(
      trace.console.map(({ level, message }: { level: string; message: string }) => [level, message]),
    ).toEqual([
      ['log', 'charging { amount: 1 }'],
      ['error', 'a warning of 1'],
    ]);
    const [bins, charge] = trace.requests;
    expect(bins).toMatchObject({ method: 'GET', status: 200, url: `${processor.url}/bins?bin=XXXXXX` });
    expect(charge).toMatchObject({ method: 'POST', status: 401 });
    expect(JSON.parse(charge.request_body)).toEqual({
      card: { number: 'XXXXXXXXXXXXXXXX' },
      amount: 'XXXX',
      capture: true,
    });
    const shown = JSON.stringify(trace);
    for (const secret of ['4242424242424242', 'sk_secret']) expect(shown).not.toContain(secret);
  });

  it('shows how far a failed invocation came', async () => {
    const failed = await run(server, "module.exports = async () => { throw new Error('x'); };");
    const [trace] = await traceOf(failed.headers.get('svc-trace-id'));
    expect(trace.status).toBe(500);
    const refused = await run(server, 'module.exports = async () => ({});', { a: '{{ unknown }}' });
    expect(refused.status).toBe(400);
    const [short] = await traceOf(refused.headers.get('svc-trace-id'));
    expect(short.status).toBe(400);
    expect(Object.keys(short.phases_ms)).toEqual(['detokenize']);
  });

  it('reactors that call one another share a trace id', async () => {
    const application = await createApplication(server, { permissions: ['token:use'] });
    const inner = await createReactor(
      server,
      "module.exports = async () => { console.log('inner'); return {}; };",
    );
    const outer = await createReactor(
      server,
      'module.exports = async ({ args, svc }) => svc.reactors.react(args.inner, {});',
      { application: { id: application.id } },
    );
    const answer = await react(server, outer, { inner });
    const traces = await traceOf(answer.headers.get('svc-trace-id'));
    expect(
      traces.map(({ reactor_id, depth }: { reactor_id: string; depth: number }) => [reactor_id, depth]),
    ).toEqual([
      [outer, 0],
      [inner, 1],
    ]);
  });
});

async function recentEvents(): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${server.emulator.url}/_emulator/events?recent=1000`, {
    headers: { authorization: `Bearer ${server.emulator.controlToken}` },
  });
  const reader = response.body?.getReader();
  let text = '';
  while (!text.includes(': live')) text += new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
}

it('the log of a reactor has its calls through svc, how data was shown and which fields changed', async () => {
  const permissions = ['token:create', 'token:update'];
  const { id } = await createApplication(server, { permissions });
  const code = `module.exports = async ({ svc }) => {
      const { id } = await svc.tokens.create({ type: 'token', data: 'secret-data' });
      await svc.tokens.update(id, { metadata: { order: '1' } });
      await svc.tokens.get(id).catch(() => {});
      return { raw: {} };
    };`;
  const reactor = await createReactor(server, code, { name: 'caller', application: { id } });
  const answer = await react(server, reactor);
  expect(answer.status).toBe(200);
  const calls = (await recentEvents()).filter(
    ({ kind, reactor_id }) => kind === 'reactor.call' && reactor_id === reactor,
  );
  const same = {
    trace_id: answer.headers.get('svc-trace-id'),
    reactor_name: 'caller',
    duration_ms: expect.any(Number),
  };
  expect(calls).toMatchObject([
    { ...same, operation: 'tokens.create', status: 201, transform: 'mask' },
    { ...same, operation: 'tokens.update', status: 200, transform: 'redact', changed: ['metadata'] },
    { ...same, operation: 'tokens.get', status: 403 },
  ]);
  expect(JSON.stringify(calls)).not.toContain('secret-data');
});

it.each([
  ['{"a":"secret","b":[1234,true,null]}', '{"a":"XXXXXX","b":["XXXX",true,null]}'],
  ['{"4242-4242":"a name","jane@example.com":1}', '{"XXXXXXXXX":"XXXXXX","XXXXXXXXXXXXXXXX":"X"}'],
  ['plain text', 'XXXXXXXXXX'],
  ['c2VjcmV0LXRleHQ=', 'XXXXXXXXXXXXXXXX'],
  ['"4242"', '"XXXX"'],
  ['', ''],
])('masking of a body keeps its shape only: %s', (body, masked) => {
  expect(maskBody(body, { 'content-type': 'text/plain' })).toBe(masked);
});

it('masking of a form keeps the field names', () => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8' };
  expect(maskBody('card=4242&expand[]=x', headers)).toBe('card=XXXX&expand[]=X');
});

it('masking of headers keeps values that are not personal', () => {
  expect(maskHeaders({ Authorization: 'Bearer x', 'Content-Type': 'text/plain', 'X-Own': 'abc' })).toEqual({
    Authorization: 'XXXXXXXX',
    'Content-Type': 'text/plain',
    'X-Own': 'XXX',
  });
});

it.each([
  ['https://user:pass@host.test/cards/4242424242424242?a=b#c', '/cards/XXXXXXXXXXXXXXXX?a=X'],
  ['https://host.test/v1/cards/4242-4242-42/line_1', '/v1/cards/XXXXXXXXXXXX/line_1'],
  ['https://host.test/%34%32%34%32/jane@example.com', '/XXXXXXXXXXXX/XXXXXXXXXXXXXXXX'],
  ['https://host.test/?4242424242', '/?XXXXXXXXXX='],
])('masking of URLs drops user info and masks the query and what may be no name: %s', (url, shown) => {
  expect(maskUrl(url)).toBe(`https://host.test${shown}`);
});

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
