import { describe, expect, test } from 'vitest';
import { createOriginClassifier } from '../../../emulator/http/origin-guard.js';
import { AllowedOrigins } from '../../../emulator/services/allowed-origins.js';

const LOOPBACK = { host: '127.0.0.1', scheme: 'http' } as const;

test('createOriginClassifier accepts IP addresses and its own name when it listens on every address', () => {
  const classify = createOriginClassifier({ ...LOOPBACK, host: '0.0.0.0', origins: new AllowedOrigins([]) });
  expect(classify({ host: '192.168.0.7:8787' })).toBe('same-origin');
  expect(classify({ host: '[fe80::1]:8787' })).toBe('same-origin');
  expect(classify({ host: 'rebind.example' })).toBe('foreign-host');
});

const origins = new AllowedOrigins(['http://localhost:*', 'https://127.0.0.1:8443']);
const classify = createOriginClassifier({ ...LOOPBACK, origins });

test.each([
  ['http://localhost:5173', 'allowed'],
  ['http://localhost', 'allowed'],
  ['HTTP://LOCALHOST:1', 'allowed'],
  ['https://localhost:5173', 'cross-origin'],
  ['http://127.0.0.1:5173', 'cross-origin'],
  ['http://localhost.example:5173', 'cross-origin'],
  ['http://localhost:5173.example', 'cross-origin'],
  ['http://localhost:*', 'allowed'],
  ['https://127.0.0.1:8443', 'allowed'],
  ['https://127.0.0.1:8444', 'cross-origin'],
])('allowed origins of this machine: http://localhost:* classifies %s as %s', (origin, expected) => {
  expect(classify({ host: 'localhost:8787', origin })).toBe(expected);
});

describe('an emulator with https and a public URL', () => {
  const classify = createOriginClassifier({
    host: '127.0.0.1',
    scheme: 'https',
    publicUrl: 'https://Vault.example:8443/base',
    origins: new AllowedOrigins([]),
  });

  test.each([
    ['vault.example:8443', undefined, 'same-origin'],
    ['VAULT.example', undefined, 'same-origin'],
    ['vault.example:8443', 'https://vault.example:8443', 'same-origin'],
    ['127.0.0.1:8787', 'https://vault.example:8443', 'same-origin'],
    ['localhost:8787', 'https://localhost:8787', 'same-origin'],
    ['localhost:8787', 'http://localhost:8787', 'cross-origin'],
    ['127.0.0.1:8787', 'http://vault.example:8443', 'cross-origin'],
    ['127.0.0.1:8787', 'https://vault.example', 'cross-origin'],
    ['evil.vault.example', undefined, 'foreign-host'],
    ['evil.example', 'https://vault.example:8443', 'foreign-host'],
  ])('classifies the Host %s with the Origin %s as %s', (host, origin, expected) => {
    expect(classify({ host, ...(origin !== undefined && { origin }) })).toBe(expected);
  });
});
