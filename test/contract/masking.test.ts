import { expect, test } from 'vitest';
import { maskContent, maskMessage } from '../../src/contract/masking.js';

const CARD = { number: '4242424242424242', expiration_month: 12 };

test('what describes a token is shown, its data is masked, and names of properties stay', () => {
  const token = { id: 'tok', type: 'card', containers: ['/pci/'], metadata: { order: '7' }, data: CARD };
  const masked = { ...token, data: { number: 'XXXXXXXXXXXXXXXX', expiration_month: 'XX' } };
  expect(maskContent(token, 'tokens.create')).toEqual(masked);
  const pagination = { total_items: 1 };
  expect(maskContent({ data: [token], pagination }, 'tokens.list')).toEqual({ data: [masked], pagination });
});

test('arguments, results, configuration values, keys and unknown properties are masked, whatever they are named', () => {
  const body = {
    args: { id: 'abc', ok: true },
    name: 'charge',
    configuration: { K: 'v' },
    key: 'key_1',
    x: 1,
  };
  expect(maskContent(body, 'reactors.react')).toEqual({
    args: { id: 'XXX', ok: true },
    name: 'charge',
    configuration: { K: 'X' },
    key: 'XXXXX',
    x: 'X',
  });
  expect(maskContent({ id: 'abc' }, 'detokenize')).toEqual({ id: 'XXX' });
  expect(maskContent({ id: 'abc' }, undefined)).toEqual({ id: 'XXX' });
});

test('problem details are shown, but no card number that somebody wrote into a descriptive field', () => {
  const problem = { title: 'Bad', status: 400, detail: 'See errors.', errors: { type: ['is wrong'] } };
  expect(maskContent(problem, 'tokens.create')).toEqual(problem);
  expect(maskContent({ metadata: { note: CARD.number } }, 'tokens.create')).toEqual({
    metadata: { note: 'XXXXXXXXXXXXXXXX' },
  });
});

test('a message repeats no value that the code works with, no address and no long number', () => {
  const message = 'Ada Lovelace, ada@example.com, 4242 4242: reading amount of undefined, status 402';
  expect(maskMessage(message, { name: 'Ada Lovelace' })).toBe(
    'XXXXXXXXXXXX, XXXXXXXXXXXXXXX, XXXXXXXXX: reading amount of undefined, status 402',
  );
});
