import { expect, test } from 'vitest';
import { proxyOf } from '../../src/client/transport.js';

const PROXIES = { http: 'http://proxy:1', https: 'http://proxy:2' };

test.each([
  ['http://api.example.com', '', 'http://proxy:1'],
  ['https://api.example.com', '', 'http://proxy:2'],
  ['https://api.example.com', 'other.example, .test', 'http://proxy:2'],
  ['https://api.example.com', '*', undefined],
  ['https://api.example.com', 'example.com', undefined],
  ['https://api.example.com', 'other,*.example.com', undefined],
  ['https://api.example.com', '.EXAMPLE.com:443', undefined],
  ['https://api.example.com:8443', 'example.com:443', 'http://proxy:2'],
  ['https://badexample.com', 'example.com', 'http://proxy:2'],
  ['http://127.0.0.1:8787', '', undefined],
  ['http://[::1]:8787', '', undefined],
])('the proxy of %s with NO_PROXY=%j is %s', (url, none, proxy) => {
  expect(proxyOf(url, { ...PROXIES, none })).toBe(proxy);
});

test('without HTTPS_PROXY, HTTP_PROXY is used for https too', () => {
  expect(proxyOf('https://api.example.com', { http: 'http://proxy:1' })).toBe('http://proxy:1');
});
