import { beforeAll, expect, test, vi } from 'vitest';
import { type Client, createClient } from '../../../../src/client/index.js';
import { call } from '../../../support/call.js';
import { type RunningEmulator, startEmulator } from '../../../support/emulator.js';
import { closedAddress, useStub } from '../../../support/http-server.js';
import { type ReceivedSpan, useOtlpReceiver } from '../../../support/otlp-receiver.js';
import { PATIENCE } from '../../../support/patience.js';

const CARD = '4242424242424242';
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const [SERVER, CLIENT] = [2, 3];
const ERROR = 2;

/** Sends the card to a URL, in every part of a request. */
const PAY = `module.exports = async ({ args, configuration, svc }) => {
  const response = await fetch(configuration.URL + '/pay/' + args.card + '?card=' + args.card, {
    method: 'POST', headers: { authorization: args.card }, body: args.card,
  });
  console.log(args.card);
  return { raw: response.status };
};`;
const OUTER = `module.exports = async ({ args, configuration, svc }) =>
  ({ raw: (await svc.reactors.react(configuration.INNER, { args })).raw });`;
const THROWER = 'module.exports = async ({ args }) => { throw new Error(args.card); };';

const receiver = useOtlpReceiver();
const destination = useStub({ status: 200, body: {} });
let emulator: RunningEmulator;
let client: Client;
let spans: ReceivedSpan[];
let reactors: { pay: string; outer: string; thrower: string };

async function createReactor(name: string, code: string, configuration: Record<string, string>) {
  const application = {
    id: (await client.call('applications.list')).data.find(({ type }) => type === 'private')?.id ?? '',
  };
  return (await client.call('reactors.create', { body: { name, code, configuration, application } })).id;
}

const react = (id: string, traceId: string, more: object = {}) =>
  client.call('reactors.react', {
    path: { id },
    body: { args: { card: '{{ card }}' }, ...more },
    headers: { 'svc-trace-id': traceId },
  });

beforeAll(async () => {
  emulator = await startEmulator({ port: 0, rateLimit: false, otlpEndpoint: `${receiver.url}/` });
  client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys, retries: 0 });
  await client.call('tokens.create', {
    body: { type: 'card_number', id: 'card', data: CARD },
    headers: { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`, tracestate: `card=${CARD}` },
  });
  await client.call('tokens.get', {
    path: { id: 'card' },
    headers: { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-00` },
  });
  await client.call('tokens.list', { query: { metadata: { card: CARD } } });
  await fetch(`${emulator.url}/nothing/${CARD}?card=${CARD}`);
  const pay = await createReactor('pay', PAY, { URL: destination.url });
  const outer = await createReactor('outer', OUTER, { INNER: pay });
  const thrower = await createReactor('thrower', THROWER, {});
  reactors = { pay, outer, thrower };
  await react(pay, 'trace-pay');
  await react(outer, 'trace-outer');
  await react(thrower, 'trace-thrower').catch(() => {});
  await react(pay, 'trace-callback', { callback_url: `${destination.url}/callback?card=${CARD}` });
  const hook = { name: 'hook', url: `${destination.url}/hook`, events: ['token.created'] as const };
  await client.call('webhooks.create', { body: { ...hook, events: [...hook.events] } });
  await client.call('tokens.create', {
    body: { type: 'token', data: CARD },
    headers: { 'svc-trace-id': 'trace-event' },
  });
  await fetch(`${emulator.url}/proxy/${CARD}?card=${CARD}`, {
    method: 'POST',
    headers: {
      'svc-api-key': emulator.keys.private,
      'svc-proxy-url': destination.url,
      'svc-trace-id': 'trace-proxy',
      'x-card': CARD,
    },
    body: '{{ card }}',
  });
  await deliverCallback();
  await client.close();
  await emulator.close();
  spans = receiver.spans();
});

/** Waits until the callback was answered: a stop ends a delivery that has only arrived. */
async function deliverCallback(): Promise<void> {
  const arrived = () =>
    expect(destination.requests.map(({ path }) => path)).toContain(`/callback?card=${CARD}`);
  await vi.waitFor(arrived, PATIENCE);
  const wait = { control: true, body: { wait_ms: 60_000 } };
  const { body } = await call(emulator, 'POST', '/_emulator/deliveries/wait', wait);
  expect(body).toEqual({ deliveries: [] });
}

function spanOf(traceId: string, name: string): ReceivedSpan {
  const span = spans.find((one) => one.name === name && one.attributes['tokenctl.trace_id'] === traceId);
  if (!span) throw new Error(`There is no span ${name} for ${traceId}.`);
  return span;
}

const childrenOf = ({ spanId }: ReceivedSpan) => spans.filter(({ parentSpanId }) => parentSpanId === spanId);

const host = () => ({ 'server.address': '127.0.0.1', 'server.port': Number(new URL(destination.url).port) });

test('a request has its operation, route, status, tenant and trace id, below the span of the caller', () => {
  const span = spans.find(({ name }) => name === 'POST /tokens');
  expect(span).toMatchObject({
    traceId: CALLER.traceId,
    parentSpanId: CALLER.spanId,
    kind: SERVER,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/tokens',
      'http.response.status_code': 201,
      'tokenctl.operation': 'tokens.create',
      'tokenctl.tenant_id': emulator.tenant_id,
      'tokenctl.trace_id': expect.any(String),
      'tokenctl.application_id': expect.any(String),
    },
  });
});

test('a request of a caller that does not sample is not recorded', () => {
  expect(spans.some(({ name }) => name === 'GET /tokens/{id}')).toBe(false);
});

test('a request without a caller begins a trace, and an unknown path is not named', () => {
  const list = spans.find(({ name }) => name === 'GET /tokens');
  expect(list?.parentSpanId).toBeFalsy();
  const unknown = spans.find(({ name }) => name === 'GET');
  expect(unknown?.attributes).toMatchObject({ 'http.response.status_code': 401 });
  expect(unknown?.attributes).not.toHaveProperty('http.route');
});

test('a reactor is below its request, its outbound request below the reactor', () => {
  const [reactor] = childrenOf(spanOf('trace-pay', 'POST /reactors/{id}/react'));
  expect(reactor).toMatchObject({
    name: 'reactor',
    attributes: { 'tokenctl.reactor_id': reactors.pay, 'http.response.status_code': 200 },
  });
  expect(childrenOf(reactor as ReceivedSpan)).toMatchObject([
    { name: 'POST', kind: CLIENT, attributes: { ...host(), 'http.response.status_code': 200 } },
  ]);
});

test('a reactor that another one invokes is below it', () => {
  const [outer] = childrenOf(spanOf('trace-outer', 'POST /reactors/{id}/react'));
  expect(outer?.attributes['tokenctl.reactor_id']).toBe(reactors.outer);
  expect(childrenOf(outer as ReceivedSpan)).toMatchObject([
    { name: 'reactor', attributes: { 'tokenctl.reactor_id': reactors.pay } },
  ]);
});

test('a failure is an error without its message', () => {
  const request = spanOf('trace-thrower', 'POST /reactors/{id}/react');
  expect(request).toMatchObject({
    status: { code: ERROR },
    attributes: { 'http.response.status_code': 500 },
  });
  expect(childrenOf(request)).toMatchObject([{ name: 'reactor', status: { code: ERROR } }]);
});

test.each([
  ['a callback', 'trace-callback', 'POST /reactors/{id}/react', {}],
  ['an event', 'trace-event', 'POST /tokens', { 'tokenctl.event_type': 'token.created' }],
])('spans: %s has host, status and attempt, and links to its request', (_what, traceId, cause, type) => {
  const { spanId, traceId: trace } = spanOf(traceId, cause);
  const delivery = spans.find(
    ({ attributes }) => attributes['tokenctl.attempt'] === 1 && attributes['tokenctl.trace_id'] === traceId,
  );
  expect(delivery).toMatchObject({
    name: 'POST',
    kind: CLIENT,
    links: [{ spanId, traceId: trace }],
    attributes: {
      ...{ ...host(), ...type, 'tokenctl.tenant_id': emulator.tenant_id },
      'http.response.status_code': 200,
    },
  });
});

test('a request through a proxy has the request to the destination below it', () => {
  expect(childrenOf(spanOf('trace-proxy', 'POST /proxy/{path}'))).toMatchObject([
    { name: 'POST', kind: CLIENT, attributes: { ...host(), 'http.response.status_code': 200 } },
  ]);
});

test('no data, key, header or query string is sent', () => {
  const text = receiver.text();
  for (const secret of [CARD, 'card=', '/pay', '/callback', ...Object.values(emulator.keys)])
    expect(text).not.toContain(secret);
});

test('the resource is the emulator', () => {
  expect(receiver.resource()).toMatchObject({ 'service.name': 'tokenctl-emulator' });
});

test('without a receiver that answers, the emulator works and warns once, without the address', async () => {
  const warnings: string[] = [];
  const logger = { info: () => {}, warn: (text: string) => warnings.push(text), error: () => {} };
  const gone = await closedAddress();
  const other = await startEmulator({ port: 0, otlpEndpoint: gone, logger });
  for (let count = 0; count < 3; count++) expect((await call(other, 'GET', '/ping')).status).toBe(200);
  await other.close();
  expect(warnings.length).toBeLessThanOrEqual(1);
  expect(warnings.join()).not.toContain(gone);
});
