import { describe, expect, test } from 'vitest';
import { createOriginClassifier } from '../../../emulator/http/origin-policy.js';

const PAGE = 'https://shop.example';

describe('createOriginClassifier, listening on loopback', () => {
  const classify = createOriginClassifier({ host: '127.0.0.1', allowOrigins: [`${PAGE}/`] });

  test.each(['localhost', 'LOCALHOST:8787', '127.0.0.1:8787', '127.9.9.9', '[::1]:8787'])(
    'accepts the loopback Host %s',
    (host) => {
      expect(classify({ host })).toBe('same-origin');
    },
  );

  test.each([undefined, '', 'rebind.example', '192.168.0.7', 'localhost.example', '[::1', 'localhost:x'])(
    'rejects the Host %s',
    (host) => {
      expect(classify(host === undefined ? {} : { host })).toBe('cross-origin');
    },
  );

  test.each([
    ['http://localhost:8787', 'same-origin'],
    ['HTTP://LOCALHOST:8787', 'same-origin'],
    ['http://localhost:8788', 'cross-origin'],
    ['https://localhost:8787', 'cross-origin'],
    ['null', 'cross-origin'],
    [PAGE, 'allowed'],
    ['HTTPS://SHOP.example', 'allowed'],
    ['https://evil.shop.example', 'cross-origin'],
  ])('classifies the Origin %s as %s', (origin, expected) => {
    expect(classify({ host: 'localhost:8787', origin })).toBe(expected);
  });

  test('rejects an allowed Origin under another Host', () => {
    expect(classify({ host: 'rebind.example', origin: PAGE })).toBe('cross-origin');
  });
});

test('createOriginClassifier accepts IP addresses and its own name when it listens on every address', () => {
  const classify = createOriginClassifier({ host: '0.0.0.0', allowOrigins: [] });
  expect(classify({ host: '192.168.0.7:8787' })).toBe('same-origin');
  expect(classify({ host: '[fe80::1]:8787' })).toBe('same-origin');
  expect(classify({ host: 'rebind.example' })).toBe('cross-origin');
});
