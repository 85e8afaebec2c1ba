import { expect, test } from 'vitest';
import { validateBaseUrl } from '../../../src/cli/config/base-url.js';

test.each(['ftp://h', 'https://h?x=1', 'https://h#x', 'no url'])('the base URL %s is not valid', (text) => {
  expect(() => validateBaseUrl(text, '--base-url')).toThrow('--base-url must be an http or https URL');
});

test.each([
  ['localhost:8787', 'http://localhost:8787'],
  ['api.example.com/v1', 'https://api.example.com'],
])('the base URL %s has no scheme, and one is suggested', (text, suggestion) => {
  expect(() => validateBaseUrl(text, '--base-url')).toThrow(
    `--base-url has no scheme. Did you mean ${suggestion}?`,
  );
});

test.each(['https://secret@h', 'https://:secret@h', 'https://user:secret@h'])(
  'the base URL %s has credentials, and is rejected without repeating them',
  (text) => {
    const validate = () => validateBaseUrl(text, '--base-url');
    expect(validate).toThrow('must not contain credentials');
    expect(validate).not.toThrow('secret');
  },
);
