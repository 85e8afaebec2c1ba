import { expect, test } from 'vitest';
import { ConnectionError } from '../../src/client/errors.js';

test.each([
  ['http://127.0.0.1:9', 'ECONNREFUSED', '', 'Nothing listens on 127.0.0.1:9 (connection refused).'],
  ['https://no-such.example', 'ENOTFOUND', '', 'The name no-such.example does not exist (DNS).'],
  [
    'https://127.0.0.1:8787',
    'EPROTO',
    'SSL routines:ssl3_get_record:wrong version number',
    '127.0.0.1:8787 answers plain http, not https. Use http://127.0.0.1:8787',
  ],
  ['https://h', 'ESOMETHING', '', 'https://h cannot be reached: ESOMETHING.'],
])('an error of the connection to %s says in words what %s means', (url, code, message, text) => {
  expect(new ConnectionError(url, code, new Error(message)).message).toBe(text);
});

test('of a proxy in between, the code is all that is known', () => {
  expect(new ConnectionError('https://h', 'ECONNREFUSED', undefined, 'proxy:3128').message).toBe(
    'https://h cannot be reached through the proxy proxy:3128: ECONNREFUSED.',
  );
});
