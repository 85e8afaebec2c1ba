import { expect, test } from 'vitest';
import { checkRequest } from '../../../../emulator/sandbox/host/message-limits.js';
import { DEFAULT_LIMITS } from '../../../../emulator/sandbox/limits.js';

const requestTo = (url: string) => ({
  method: 'GET',
  url,
  headers: [],
  redirect: 'follow' as const,
  body: undefined,
});

test('a host that is too long is refused, whether or not the prelude parsed the URL', () => {
  expect(() => checkRequest(requestTo('http://localhost/'), DEFAULT_LIMITS)).not.toThrow();
  expect(() => checkRequest(requestTo(`http://${'a'.repeat(600)}/`), DEFAULT_LIMITS)).toThrow('Invalid URL');
});
