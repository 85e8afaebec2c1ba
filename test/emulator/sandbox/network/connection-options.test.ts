import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { describe, expect, test } from 'vitest';
import type { OutboundRequest } from '../../../../emulator/sandbox/invocation.js';
import { CERTIFICATE, CERTIFICATE_KEY } from '../../../support/certificates.js';
import { useHttpServer } from '../../../support/http-server.js';
import { run, testSandbox } from '../../../support/sandbox.js';

const sandbox = testSandbox();
const tls = { key: CERTIFICATE_KEY, cert: CERTIFICATE, ca: CERTIFICATE };
const https = createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (request, response) =>
  response.end(JSON.stringify({ hasCertificate: (request.socket as TLSSocket).authorized })),
);
const server = useHttpServer(https);

const CLIENTS = {
  axios: "(await require('axios').get(url, { httpsAgent: new https.Agent(options) })).data",
  'node-fetch': "await (await require('node-fetch')(url, { agent: () => new https.Agent(options) })).json()",
  'https.request': `await new Promise((resolve, reject) => https.get(url, options, (response) => {
    response.on('data', (chunk) => resolve(JSON.parse(chunk)));
  }).on('error', reject))`,
  'https.globalAgent': `await (async () => {
    Object.assign(https.globalAgent.options, options);
    return (await require('axios').get(url)).data;
  })()`,
};

/** Sends a request with connection options, which are an expression of the code. */
async function send(options: string, client: string = CLIENTS['https.request']) {
  const reports: OutboundRequest[] = [];
  const code = `const https = require('https');
module.exports = async ({ args: { url, key, cert } }) => {
  const options = ${options};
  return ${client};
};`;
  const args = { url: server.url.replace('127.0.0.1', 'localhost'), key: CERTIFICATE_KEY, cert: CERTIFICATE };
  const outcome = await run(sandbox, code, { args, onRequest: (request) => reports.push(request) });
  return { outcome, reports };
}

const MUTUAL = '{ key, cert: [Buffer.from(cert)], ca: cert }';

describe('options of a connection', () => {
  test.each(Object.entries(CLIENTS))('%s sends the certificate, trusts the authority', async (_, client) => {
    const { outcome, reports } = await send(MUTUAL, client);
    expect(outcome).toMatchObject({ kind: 'returned', value: { hasCertificate: true } });
    expect(reports).toHaveLength(1);
    expect(JSON.stringify(reports)).not.toMatch(/PRIVATE KEY|CERTIFICATE/);
  });

  test('take keys with a passphrase, and PKCS #12 as bytes', async () => {
    const { outcome } = await send("{ key: [{ pem: key, passphrase: '' }], cert, ca: cert }");
    expect(outcome).toMatchObject({ kind: 'returned', value: { hasCertificate: true } });
    expect((await send("{ pfx: Buffer.from('none'), ca: cert }")).outcome).toMatchObject({ kind: 'threw' });
  });

  test('without an authority the certificate is refused, unless the code asks for no check', async () => {
    expect((await send('{}')).outcome).toMatchObject({ error: { message: 'self-signed certificate' } });
    const { outcome } = await send('{ rejectUnauthorized: false }');
    expect(outcome).toMatchObject({ value: { hasCertificate: false } });
  });

  test.each([
    ['{ checkServerIdentity: () => undefined }', 'the option checkServerIdentity'],
    ["{ socketPath: '/tmp/s' }", 'the option socketPath'],
    ['{ lookup: () => {} }', 'the option lookup'],
    [
      '{ agent: new (class Tunnel extends https.Agent { createConnection() {} })() }',
      'an agent with connections of its own (Tunnel)',
    ],
  ])('%s is refused by name', async (options, what) => {
    const message = `Requests cannot have ${what} in this runtime. --reactor-runtime node has it.`;
    expect((await send(options)).outcome).toMatchObject({ kind: 'threw', error: { message } });
  });

  test.each([
    [
      "await require('axios').get(url, { proxy: { host: 'localhost', port: 1 } })",
      'an agent with connections of its own (HttpsProxyAgent)',
    ],
    [
      "await require('axios').get('http://localhost', { proxy: { host: 'localhost', port: 1 } })",
      'the option proxy',
    ],
    ['await fetch(url, { dispatcher: {} })', 'the option dispatcher'],
  ])('%s is refused by name', async (client, what) => {
    const { outcome } = await send('{}', client);
    expect(outcome).toMatchObject({ kind: 'threw', error: { message: expect.stringContaining(what) } });
  });

  test.each([
    ['{ key: { a: 1 }, cert }', 'The connection option key must be text, bytes, or a list of them.'],
    ['{ passphrase: 1 }', 'The connection option passphrase must be a string.'],
  ])('%s is refused by name and type', async (options, message) => {
    expect((await send(options)).outcome).toMatchObject({ kind: 'threw', error: { message } });
  });

  test('a key that does not fit is an error without the key', async () => {
    const { outcome, reports } = await send("{ key: key.replace('MIGH', 'MIGX'), cert, ca: cert }");
    expect(outcome).toMatchObject({ kind: 'threw' });
    expect(JSON.stringify([outcome, reports])).not.toContain('PRIVATE KEY');
    expect(JSON.stringify(outcome)).not.toContain('Internal error');
  });
});
