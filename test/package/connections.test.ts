import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CERTIFICATE, CERTIFICATE_KEY } from '../support/certificates.js';
import { tokenctl } from '../support/executable.js';
import { projectDir } from '../support/project-dir.js';

const server = createServer({ key: CERTIFICATE_KEY, cert: CERTIFICATE }, (request, response) => {
  request.resume();
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ path: request.url }));
});
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `https://localhost:${(server.address() as AddressInfo).port}/charge`;
});

afterAll(() => server.close());

/** One request by each client: the expression gives the parsed body. */
const CLIENTS = {
  fetch: 'await (await fetch(url)).json()',
  axios: "(await require('axios').get(url)).data",
  'node-fetch': "await (await require('node-fetch')(url)).json()",
  'https.request': `await new Promise((resolve, reject) => require('https').request(url, (response) => {
    let text = '';
    response.on('data', (chunk) => { text += chunk; }).on('end', () => resolve(JSON.parse(text)));
  }).on('error', reject).end())`,
};

test.each(Object.entries(CLIENTS))('reactor run: %s reaches an https server', async (_, expression) => {
  const code = `module.exports = async ({ args: { url } }) => ({ raw: ${expression} });`;
  const cwd = await projectDir({ 'charge.js': code, 'ca.pem': CERTIFICATE });
  const args = ['reactor', 'run', 'charge.js', '--arg', `url=${url}`, '--jq', '.raw.path'];
  const env = { NODE_EXTRA_CA_CERTS: `${cwd}/ca.pem` };
  expect(await tokenctl(args, { cwd, env })).toEqual({ code: 0, stdout: '/charge\n', stderr: '' });
});
