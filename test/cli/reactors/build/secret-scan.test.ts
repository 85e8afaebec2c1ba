import { expect, test } from 'vitest';
import { scanConfiguration } from '../../../../src/cli/reactors/build/secret-scan.js';

const CARD = '4242424242424242';
const KEY = `sk_${'live'}_a1b2c3d4e5f6a7b8c9d0e1f2`;
const entry = (configuration?: Record<string, string>) => ({
  name: 'charge',
  code: '/charge.ts',
  external: [],
  configuration,
});

test('scanConfiguration finds a card number in any value and names the value only', () => {
  expect(scanConfiguration(entry(), { TEST_CARD: CARD })).toEqual([
    { message: 'configuration.TEST_CARD looks like a card number' },
  ]);
});

test('scanConfiguration finds a key in a value of the manifest, which is committed', () => {
  expect(scanConfiguration(entry({ KEY }), { KEY })).toEqual([
    { message: 'configuration.KEY looks like a payment processor key' },
  ]);
});

test('scanConfiguration accepts a key from an env file or a flag', () => {
  expect(scanConfiguration(entry({ KEY: '' }), { KEY })).toEqual([]);
});
