import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../../src/client/index.js';
import { type HttpRequest, type RunningEmulator, startEmulator } from '../../support/emulator.js';

const CODE = `
const axios = require('axios');
const nodeFetch = require('node-fetch');
module.exports = async ({ args }) => {
  const failure = await fetch('https://bank.example/refused').catch((error) => (error.cause ?? error).message);
  const aborted = await fetch('https://bank.example/silent', { signal: AbortSignal.timeout(50) }).catch((error) => error.name);
  return { raw: {
    fetch: await (await fetch('https://bank.example/fetch', { method: 'POST', body: 'sent' })).text(),
    axios: (await axios.get('https://bank.example/axios')).data,
    nodeFetch: await (await nodeFetch('https://bank.example/node-fetch')).text(),
    failure, aborted,
  } };
};`;

let emulator: RunningEmulator;
const requests: HttpRequest[] = [];

beforeAll(async () => {
  emulator = await startEmulator({
    port: 0,
    network: { mode: 'none' },
    async interceptRequest(request) {
      requests.push(request);
      if (request.url.endsWith('/refused')) throw new Error('No recorded call matches.');
      if (request.url.endsWith('/silent')) return new Promise(() => {});
      return {
        url: request.url,
        redirected: false,
        status: 200,
        statusText: 'OK',
        headers: [['content-type', 'text/plain']],
        body: Buffer.from(`answer to ${new URL(request.url).pathname}`),
      };
    },
  });
});
afterAll(() => emulator?.close());

test('every client of a reactor gets the answers of the function that intercepts requests', async () => {
  const client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys, retries: 0 });
  const { id } = await client.call('reactors.create', { body: { name: 'a', code: CODE, configuration: {} } });
  const response = await client.call('reactors.react', { path: { id }, body: {} });
  await client.close();
  expect(response?.raw).toEqual({
    fetch: 'answer to /fetch',
    axios: 'answer to /axios',
    nodeFetch: 'answer to /node-fetch',
    failure: expect.stringContaining('No recorded call matches.'),
    aborted: expect.stringMatching(/^(Abort|Timeout)Error$/),
  });
  const [sent] = requests.filter(({ url }) => url.endsWith('/fetch'));
  expect(sent).toMatchObject({ method: 'POST' });
  expect(Buffer.from(sent?.body ?? []).toString()).toBe('sent');
});
