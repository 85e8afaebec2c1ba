import { describe, expect, test } from 'vitest';
import { type TestServer, useServer } from '../../support/test-server.js';

const silent = useServer();
const warning = useServer({ deprecated: 'warn' });
const refusing = useServer({ deprecated: 'refuse' });

const SEARCH = '/v2/tokens/search';
const USES: [what: string, use: (server: TestServer) => ReturnType<TestServer['get']>][] = [
  ['offset lists of tokens', (server) => server.get('/tokens')],
  ['offset searches', (server) => server.post('/tokens/search', { query: 'type:card' })],
  ['complex queries', (server) => server.post(SEARCH, { query: 'type:card OR data:1' })],
];

describe.each(USES)('%s', (_what, use) => {
  test('are marked, refused, or served in silence', async () => {
    const { status, headers } = await use(warning);
    expect([status, headers.get('deprecation'), headers.get('sunset')]).toEqual([
      200,
      expect.stringMatching(/^@\d{10}$/),
      expect.stringMatching(/ GMT$/),
    ]);
    const refused = await use(refusing);
    expect([refused.status, refused.headers.has('sunset'), refused.body.title]).toEqual([410, true, 'Gone']);
    const served = await use(silent);
    expect([served.status, served.headers.has('deprecation')]).toEqual([200, false]);
  });
});

test('what is not deprecated is served', async () => {
  for (const query of ['', 'data:4242', 'metadata.a:1 AND metadata.b:2'])
    expect((await refusing.post(SEARCH, { query })).status, query).toBe(200);
  const { body } = await refusing.get('/applications', { as: 'management' });
  const path = `/applications/${body.data[0].id}/regenerate`;
  expect((await refusing.call('POST', path, { as: 'management' })).status).toBe(410);
});
