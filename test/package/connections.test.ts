import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CERTIFICATE, CERTIFICATE_KEY } from '../support/certificates.js';
import { projectDir, scratchDir, startEmulatorProcess, tokenctl, words } from '../support/executable.js';
import { useHttpServer } from '../support/http-server.js';
import { ROOT } from '../support/packed-package.js';
import { sampled } from '../support/width.js';

type Protocol = 'http' | 'https' | 'https with client certificate';

/** Self-signed, so that it is its own authority, and the server accepts it as the client's. */
const TLS = { key: CERTIFICATE_KEY, cert: CERTIFICATE };
const SERVERS: Record<Protocol, { url: string }> = {
  http: useHttpServer(answer),
  https: useHttpServer(createServer(TLS, answer)),
  'https with client certificate': useHttpServer(
    createServer({ ...TLS, ca: CERTIFICATE, requestCert: true, rejectUnauthorized: true }, answer),
  ),
};
const PROTOCOLS = Object.keys(SERVERS) as Protocol[];
const WITHOUT_CLIENT_CERTIFICATE = PROTOCOLS.slice(0, 2);

/** Paths of the requests that reached a server; webhooks and callbacks are awaited here. */
const arrivals = new Map<string, () => void>();
const arrivalAt = (path: string) => new Promise<void>((resolve) => arrivals.set(path, resolve));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ path: request.url, body }));
  arrivals.get(request.url ?? '')?.();
}

const urlOf = (protocol: Protocol, path: string): string =>
  SERVERS[protocol].url.replace('127.0.0.1', 'localhost') + path;

/** One request by each client. A client certificate is in the configuration. */
const REACTOR = `
const http = require('http');
const https = require('https');
const CLIENTS = {
  fetch: async (url) => (await fetch(url)).json(),
  axios: async (url, httpsAgent) => (await require('axios').get(url, { httpsAgent })).data,
  'node-fetch': async (url, agent) => (await require('node-fetch')(url, { agent: url.startsWith('https:') ? agent : undefined })).json(),
  request: (url, agent) => new Promise((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http;
    request(url, url.startsWith('https:') ? { agent } : {}, (response) => {
      let body = '';
      response.on('data', (chunk) => { body += chunk; }).on('end', () => resolve(JSON.parse(body)));
    }).on('error', reject).end();
  }),
  svc: async (url, _, svc) => {
    const metadata = { path: new URL(url).pathname };
    return (await svc.tokens.create({ type: 'token', data: 'secret', metadata })).metadata;
  },
};
module.exports = async ({ args: { url, client }, configuration, svc }) => {
  const agent = new https.Agent(configuration.key ? configuration : {});
  return { raw: { path: (await CLIENTS[client](url, agent, svc)).path } };
};
`;
const CLIENTS: Record<string, Protocol[]> = {
  fetch: WITHOUT_CLIENT_CERTIFICATE,
  axios: PROTOCOLS,
  'node-fetch': PROTOCOLS,
  request: PROTOCOLS,
  svc: ['http'],
};
const CASES = Object.entries(CLIENTS).flatMap(([client, protocols]) =>
  protocols.map((protocol) => ({ client, protocol })),
);
const configurationFor = (protocol: Protocol): Record<string, string> =>
  protocol === 'https with client certificate' ? TLS : {};

const directory = scratchDir({ 'ca.pem': CERTIFICATE });

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on it.
  body: any;
}

/** Starts an emulator of the executable, which trusts the private authority. @returns how to call it, and to end it */
async function startEmulator(cwd: string, flags: string) {
  const env = { NODE_EXTRA_CA_CERTS: `${cwd}/ca.pem` };
  const { base_url, keys, end } = await startEmulatorProcess(`--memory ${flags}`, { cwd, env });
  const call = async (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> => {
    const isManaged = /^\/(reactors|proxies|webhooks|applications)(\/[^/]*)?$/.test(path);
    const key = isManaged ? keys.management : keys.private;
    const response = await fetch(`${base_url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'SVC-API-KEY': key, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json().catch(() => undefined) };
  };
  return { call, end };
}

const RUNTIMES = { quickjs: '', node: `--reactor-runtime node --reactor-modules ${ROOT}` };

describe.each(Object.entries(RUNTIMES))('an emulator with runtime %s and NODE_EXTRA_CA_CERTS', (_, flags) => {
  let emulator: Awaited<ReturnType<typeof startEmulator>>;
  const reactors = new Map<string, string>();

  async function react(protocol: Protocol, client: string, more: object): Promise<Answer> {
    const id = reactors.get(protocol);
    return emulator.call('POST', `/reactors/${id}/react`, {
      args: { client, url: urlOf(protocol, '/charge') },
      ...more,
    });
  }

  beforeAll(async () => {
    emulator = await startEmulator(directory, flags);
    const application = { name: 'own', type: 'private', permissions: ['token:create'] };
    const { id } = (await emulator.call('POST', '/applications', application)).body;
    for (const protocol of PROTOCOLS) {
      const configuration = configurationFor(protocol);
      const body = { name: protocol, code: REACTOR, configuration, application: { id } };
      reactors.set(protocol, (await emulator.call('POST', '/reactors', body)).body.id);
    }
  });

  afterAll(() => emulator?.end('SIGTERM'));

  test.each(CASES)('$client over $protocol', async ({ client, protocol }) => {
    expect(await react(protocol, client, {})).toEqual({ status: 200, body: { raw: { path: '/charge' } } });
  });

  test.each(WITHOUT_CLIENT_CERTIFICATE)('a proxy, a webhook and a callback over %s', async (protocol) => {
    const proxy = { name: 'processor', destination_url: urlOf(protocol, '/pay'), require_auth: true };
    const { key } = (await emulator.call('POST', '/proxies', proxy)).body;
    const proxied = await emulator.call('POST', '/proxy/card', { a: 1 }, { 'SVC-PROXY-KEY': key });
    expect(proxied).toEqual({ status: 200, body: { path: '/pay/card', body: '{"a":1}' } });

    const event = arrivalAt(`/event/${protocol}`);
    const webhook = { name: 'hook', url: urlOf(protocol, `/event/${protocol}`), events: ['token.created'] };
    await emulator.call('POST', '/webhooks', webhook);
    await emulator.call('POST', '/tokens', { type: 'token', data: 'secret' });
    await event;

    const result = arrivalAt(`/callback/${protocol}`);
    const callback_url = urlOf(protocol, `/callback/${protocol}`);
    expect((await react(protocol, 'fetch', { callback_url })).status).toBe(202);
    await result;
  });

  test('a proxy shows the certificate that its configuration has', async () => {
    const proxy = {
      name: 'mutual',
      destination_url: urlOf('https with client certificate', '/pay'),
      configuration: { CERTIFICATE: CERTIFICATE + CERTIFICATE_KEY },
    };
    const send = async (fields: object) => {
      const { key } = (await emulator.call('POST', '/proxies', { ...proxy, ...fields })).body;
      return emulator.call('POST', '/proxy/card', { a: 1 }, { 'SVC-PROXY-KEY': key });
    };
    expect((await send({})).status).toBe(502);
    const sent = await send({ client_certificate: 'CERTIFICATE' });
    expect(sent).toEqual({ status: 200, body: { path: '/pay/card', body: '{"a":1}' } });
    const { status, body } = await send({ client_certificate: 'OTHER' });
    expect([status, Object.keys(body.errors)]).toEqual([400, ['client_certificate']]);
    const configuration = { CERTIFICATE: CERTIFICATE_KEY };
    const failed = await send({ client_certificate: 'CERTIFICATE', configuration });
    expect(failed.status).toBe(502);
    expect(JSON.stringify(failed.body)).not.toContain(CERTIFICATE_KEY.slice(30, 60));
  });
});

test.each(
  sampled(
    CASES.filter(({ client }) => client !== 'svc'),
    6,
  ),
)('no emulator: reactor run and test: $client over $protocol', async ({ client, protocol }) => {
  const args = { client, url: urlOf(protocol, '/charge') };
  const configuration = configurationFor(protocol);
  const cases = [{ name: 'charges', args, result: { raw: { path: '/charge' } } }];
  const cwd = await projectDir({
    'charge.js': REACTOR,
    'charge.test.json': JSON.stringify({ configuration, cases }),
    'ca.pem': CERTIFICATE,
  });
  const env = { NODE_EXTRA_CA_CERTS: `${cwd}/ca.pem` };
  const config = Object.entries(configuration).flatMap(([name, value]) => ['--config', `${name}=${value}`]);
  const run = words(`reactor run charge.js --args '${JSON.stringify(args)}' --jq .raw.path`);
  expect(await tokenctl([...run, ...config], { cwd, env })).toEqual({
    code: 0,
    stdout: '/charge\n',
    stderr: '',
  });
  expect(await tokenctl('reactor test charge.js', { cwd, env })).toMatchObject({ code: 0 });
});
