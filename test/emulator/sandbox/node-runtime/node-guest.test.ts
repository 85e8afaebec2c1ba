import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { useHttpServer } from '../../../support/http-server.js';
import { PATIENCE_MS } from '../../../support/patience.js';
import { ownSandbox, returned, run, testSandbox } from '../../../support/sandbox.js';

const modulesDir = fileURLToPath(new URL('../../../..', import.meta.url));
const server = useHttpServer((request, response) => response.end(JSON.stringify({ url: request.url })));
let base: string;
beforeAll(() => {
  base = server.url;
});

describe('the node runtime (decisions.md, "Reactors")', () => {
  const sandbox = testSandbox({ runtime: 'node', modulesDir });

  test('requires packages of the project folder and modules of Node.js', async () => {
    const code = `const { Liquid } = require('liquidjs'); const os = require('os');
      module.exports = async () => ({ raw: [await new Liquid().parseAndRender('{{ 1 | plus: 2 }}'), typeof os.cpus] })`;
    expect(await returned(sandbox, code)).toEqual({ raw: ['3', 'function'] });
  });

  test('imports them from an ES module', async () => {
    const code = `import { createHash } from 'node:crypto'; import { Liquid } from 'liquidjs'; import errors from 'svc-reactor-errors';
      export default async () => ({ raw: [createHash('md5').digest('hex'), typeof Liquid, typeof errors.RateLimitError] })`;
    expect(await returned(sandbox, code)).toEqual({
      raw: ['d41d8cd98f00b204e9800998ecf8427e', 'function', 'function'],
    });
  });

  test.each([
    'const fetch = require("node-fetch"); module.exports = () => ({ raw: 1 })',
    'import fetch from "node-fetch"; export default () => ({ raw: 1 })',
  ])('says how to install a package that only the sandbox provides: %s', async (code) => {
    const outcome = await run(ownSandbox({ runtime: 'node', modulesDir: tmpdir() }), code);
    expect(JSON.stringify(outcome)).toContain('npm install --save-dev node-fetch@2');
  });

  test('has an empty environment', async () => {
    expect(await returned(sandbox, 'module.exports = () => ({ raw: process.env })')).toEqual({ raw: {} });
  });

  test('puts every connection under the network policy', async () => {
    const code = `const http = require('http');
      const get = (url) => new Promise((done) => http.get(url, (r) => { r.resume(); done(r.statusCode) }).on('error', (e) => done(e.code)));
      module.exports = async ({ args: { base } }) => ({ raw: [await get(base), await get('http://93.184.216.34/'), await get('http://example.com/'),
        await get('http://169.254.169.254/'), await fetch(base).then((r) => r.status), await fetch('http://93.184.216.34/').catch((e) => e.cause.code)] })`;
    expect(await returned(sandbox, code, { args: { base } })).toEqual({
      raw: [200, 'ERR_NETWORK_POLICY', 'ERR_NETWORK_POLICY', 'ERR_NETWORK_POLICY', 200, 'ERR_NETWORK_POLICY'],
    });
  });

  test('covers connections that a package opens with a port and a host', async () => {
    const code = `const { Socket } = require('net');
      const open = (...to) => new Promise((done) => {
        const socket = new Socket().on('error', (e) => done(e.code));
        socket.connect(...to, () => { socket.destroy(); done('connected') });
      });
      module.exports = async ({ args: { port } }) => ({ raw: [await open(port), await open(port, '127.0.0.1'), await open(String(port), '127.0.0.1'),
        await open(80, '93.184.216.34'), await open('80', '93.184.216.34'), await open(80, 'example.com')] })`;
    const port = Number(new URL(base).port);
    const refused = 'ERR_NETWORK_POLICY';
    expect(await returned(sandbox, code, { args: { port } })).toEqual({
      raw: ['connected', 'connected', 'connected', refused, refused, refused],
    });
  });

  test.each([
    ['an endless loop', 'for (;;) {}', 'timeout'],
    ['an endless chain of promises', 'for (;;) await 1', 'timeout'],
    ['a promise that never settles', 'await new Promise(() => {})', 'timeout'],
    ['memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(1.5))', 'out-of-memory'],
    ['an exit', 'process.exit(1)', 'crashed'],
    ['an error that nobody catches', 'setTimeout(() => null.x, 1); await new Promise(() => {})', 'threw'],
  ])('%s ends as %s', async (_name, body, kind) => {
    const timeoutMs = kind === 'timeout' ? 700 : PATIENCE_MS;
    const outcome = await run(sandbox, `module.exports = async () => { ${body} }`, { timeoutMs });
    expect(outcome.kind).toBe(kind);
  });
});

test('with an inspector, a thread is kept for the code of one tenant, which no other can reach', async () => {
  const findOrigin = async () => undefined;
  const inspector = { host: '127.0.0.1', port: 0, waits: false, findOrigin };
  const sandbox = ownSandbox({ runtime: 'node', inspector });
  const leave = 'module.exports = () => { globalThis.left = 1; };';
  const find = 'module.exports = () => globalThis.left ?? null;';
  await returned(sandbox, leave, { tenantId: 'one' });
  expect(await returned(sandbox, find, { tenantId: 'one' })).toBe(1);
  expect(await returned(sandbox, find, { tenantId: 'other', reactorId: 'other' })).toBe(null);
});
