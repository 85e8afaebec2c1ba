import { expect, it } from 'vitest';
import { evaluateText } from './evaluate-now.js';
import { NOW } from './now.js';

const card = { number: '4242424242424242', expiration_month: 3, expiration_year: 2031 };

const given = (text: string, data: unknown) => evaluateText(text, { data }, NOW);

it.each<[string, unknown, unknown]>([
  // reveal_last: keeps the last n characters, masks the rest except "-"
  ['{{ data | reveal_last: 4 }}', '36227206271667', 'XXXXXXXXXX1667'],
  ["{{ data | reveal_last: 3, '#' }}", '36227206271667', '###########667'],
  ["{{ data | reveal_last: n: 3, mask_char: '#' }}", '36227206271667', '###########667'],
  ['{{ data | reveal_last: 4 }}', '123-45-6789', 'XXX-XX-6789'],
  ['{{ data | reveal_last: 4 }}', '1234', '1234'],
  ['{{ data | reveal_last: 4 }}', '12', '12'],
  ['{{ data | reveal_last: 4 }}', '', ''],
  ['{{ data | reveal_last: 0 }}', 'abc', 'XXX'],
  ['{{ data | reveal_last: 2 }}', 12345, 'XXX45'],
  ['{{ data | reveal_last: 1 }}', '😀😀', 'X😀'],
  ['{{ data.missing | reveal_last: 1 }}', {}, undefined],
  ['{{ data.none | reveal_last: 1 }}', { none: null }, undefined],
  // last4
  ['{{ data | last4 }}', '36227206271667', '1667'],
  ['{{ data | last4 }}', '67', '67'],
  // reveal: masks everything when it would reveal it all
  ['{{ data | reveal: 6 }}', '3622-7206-2716-5567', '3622-7XXXXXXXXXXXXX'],
  ['{{ data | reveal: 7, 5 }}', '3622-7206-2716-5567', '3622-72XXXXXXX-5567'],
  ["{{ data | reveal: 7, 5, '#' }}", '3622-7206-2716-5567', '3622-72#######-5567'],
  ["{{ data | reveal: 7, 4, '#', '-' }}", '3622-7206-2716-5567', '3622-72##-####-5567'],
  ['{{ data | reveal: 10, 9 }}', '3622-7206-2716-5567', 'XXXXXXXXXXXXXXXXXXX'],
  ['{{ data | reveal: 50 }}', 'abc', 'XXX'],
  ['{{ data | reveal }}', 'abc', 'XXX'],
  ["{{ data | reveal: preserve_chars: 'abc' }}", 'abc', 'XXX'],
  ["{{ data | reveal: 2, 2, 'X', '-' }}", '12-34', 'XX-XX'],
  // card_mask
  ['{{ data | card_mask }}', '3622720627165567', 'XXXXXXXXXXXXXXXX'],
  ['{{ data | card_mask: true }}', '3622720627165567', '36227206XXXXXXXX'],
  ["{{ data | card_mask: 'true', 'true', '#', '-' }}", '3622-7206-2716-5567', '3622-7206-####-5567'],
  ["{{ data | card_mask: false, true, 'X', '-' }}", '3622-7206-2716-5567', 'XXXX-XXXX-XXXX-5567'],
  ['{{ data | card_mask: reveal_last4: true }}', '3622-7206-2716-5567', 'XXXXXXXXXXXXXXX5567'],
  ['{{ data | card_mask: true, true }}', '378282246310005', '378282XXXXX0005'],
  ['{{ data | card_mask: true, true }}', '1234567890', 'XXXXXXXXXX'],
  ['{{ data | card_mask: false, true }}', '1234', 'XXXX'],
  // card_bin: 6 digits for numbers shorter than 16 digits, 8 otherwise
  ['{{ data | card_bin }}', '4242424242424242', '42424242'],
  ['{{ data | card_bin }}', '378282246310005', '378282'],
  ["{{ data | card_bin: '-' }}", '4242-4242-4242-4242', '42424242'],
  ["{{ data | card_bin: '.' }}", '4242.4242.4242.4242', '42424242'],
  // card_exp
  ["{{ data | card_exp: 'MM' }}", card, '03'],
  ["{{ data | card_exp: 'MMYY' }}", card, '0331'],
  ["{{ data | card_exp: 'MM/YY' }}", card, '03/31'],
  ["{{ data | card_exp: 'YYYY-MM' }}", card, '2031-03'],
  ["{{ data | card_exp: 'MM_YYYY' }}", card, '03_2031'],
  ["{{ data | card_exp: 'MM' }}", { number: '4' }, undefined],
  // stringify: canonical JSON; a string stays itself
  [
    '{{ data | stringify }}',
    { b: 1, a: { d: [1, { z: 1, y: 2 }], c: null } },
    '{"a":{"c":null,"d":[1,{"y":2,"z":1}]},"b":1}',
  ],
  ['{{ data | stringify }}', 'text', 'text'],
  ['{{ data | stringify }}', 8.99, '8.99'],
  ['{{ data | json_stringify }}', { b: 1, a: 2 }, '{"b":1,"a":2}'],
  ['{{ data | json_stringify }}', 'text', '"text"'],
  // json: one match or 400
  ["{{ data | json: '$.a.b' }}", { a: { b: 'x' } }, 'x'],
  [
    "{{ data | json: '$.books[?(@.price < 10)].title' }}",
    {
      books: [
        { price: 9, title: 'A' },
        { price: 22, title: 'B' },
      ],
    },
    'A',
  ],
  ["{{ data | json: '$' }}", [1], [1]],
  ["{{ data | json: '$..c' }}", { a: { b: { c: 7 } } }, 7],
  ["{{ data | json: '$.n' }}", { n: null }, null],
  ["{{ data.missing | json: '$.n' }}", {}, undefined],
  ['{{ data | json }}', { a: 1 }, '{"a":1}'],
  // conversions
  ['{{ data | to_string }}', 8.99, '8.99'],
  ['{{ data | to_string }}', true, 'true'],
  ['{{ data | to_number }}', '42', 42],
  ['{{ data | to_number }}', '-3.5e2', -350],
  ['{{ data | to_number }}', '007', 7],
  ['{{ data | to_boolean }}', 'true', true],
  ['{{ data | to_boolean }}', 'False', false],
  ['{{ data | to_boolean }}', false, false],
  ["{{ data | pad_left: 6, '0' }}", '1234', '001234'],
  ["{{ data | pad_right: 6, 'X' }}", '1234', '1234XX'],
  ["{{ data | pad_left: 2, '0' }}", '1234', '1234'],
  ['{{ data | pad_left: 6 }}', 12, '    12'],
  [
    "{{ data | hmac: 'sha-256', 'secretKeyValue' | to_base64 }}",
    'secretText',
    'IQEOEVbU1YuKZeuhAvcYwUbzZ6SnkUPeJyy5aZY6KMs=',
  ],
  [
    "{{ data | hmac: 'sha-256', 'secretKeyValue' | to_base16 }}",
    'secretText',
    '21010E1156D4D58B8A65EBA102F718C146F367A4A79143DE272CB969963A28CB',
  ],
  [
    "{{ data | hmac: 'SHA256', 'secretKeyValue' }}",
    'secretText',
    'IQEOEVbU1YuKZeuhAvcYwUbzZ6SnkUPeJyy5aZY6KMs=',
  ],
  // standard Liquid filters
  ["{{ data | split: ' ' | last | upcase }}", 'John Doe', 'DOE'],
  ["{{ data | date: '%H:%M' }}", '2020-01-01T13:05:00Z', '13:05'],
  ["{{ data.missing | default: 'none' }}", {}, 'none'],
  ["{{ data | where: 'a', 1 }}", [{ a: 1 }, { a: 2 }], [{ a: 1 }]],
])('each filter of the service: %s of %j', (text, data, expected) =>
  expect(given(text, data)).toEqual(expected),
);

it.each<[string, unknown, string]>([
  ['{{ data | reveal_last }}', 'abc', 'argument n must be a whole number'],
  ['{{ data | reveal_last: -1 }}', 'abc', 'argument n must be a whole number'],
  ['{{ data | reveal_last: 1.5 }}', 'abc', 'argument n must be a whole number'],
  ["{{ data | reveal_last: 1, '##' }}", 'abc', 'argument mask_char must be one character'],
  ["{{ data | reveal_last: 1, '' }}", 'abc', 'argument mask_char must be one character'],
  ["{{ data | reveal_last: 1, 'X', 2 }}", 'abc', 'not 3 arguments'],
  ['{{ data | reveal_last: count: 1 }}', 'abc', 'no argument "count"'],
  ['{{ data | reveal_last: 1 }}', { a: 1 }, 'accepts a string or a number'],
  ['{{ data | reveal_last: 1 }}', [1], 'accepts a string or a number'],
  ['{{ data | reveal_last: 1 }}', true, 'accepts a string or a number'],
  ['{{ data.missing | reveal_last }}', {}, 'argument n must be'],
  ['{{ data | last4 }}', {}, 'accepts a string or a number'],
  ["{{ data | card_mask: 'maybe' }}", '4242', 'argument reveal_bin must be true or false'],
  ['{{ data | card_bin }}', '4242', 'accepts a card number'],
  ['{{ data | card_bin }}', 'not a card number', 'accepts a card number'],
  ['{{ data | card_exp }}', card, 'argument format must be a string'],
  ["{{ data | card_exp: 'DD/MM' }}", card, 'may contain only MM, YY, YYYY'],
  ["{{ data | card_exp: 'MM' }}", '0331', 'accepts an object'],
  ["{{ data | json: '$..a' }}", [{ a: 1 }, { a: 2 }], 'must match one value; it matches 2'],
  ["{{ data | json: '$.a' }}", {}, 'must match one value; it matches 0'],
  ["{{ data | json: '$.[' }}", {}, 'filter "json"'],
  ['{{ data | json: \'$[?match(@.a, "x")]\' }}', {}, "no such function 'match'"],
  ['{{ data | to_string }}', {}, 'accepts a string, a number or a boolean'],
  ['{{ data | to_number }}', 'four', 'a string that contains one'],
  ['{{ data | to_number }}', '', 'a string that contains one'],
  ['{{ data | to_number }}', true, 'a string that contains one'],
  ['{{ data | to_boolean }}', 'yes', 'the string true or false'],
  ['{{ data | to_boolean }}', 1, 'the string true or false'],
  ["{{ data | pad_left: 6, '00' }}", '1', 'argument char must be one character'],
  ["{{ data | hmac: 'md5', 'k' }}", 'x', 'argument algorithm must be one of'],
  ["{{ data | hmac: 'sha-256' }}", 'x', 'argument key must be a string'],
  ['{{ data | to_base64 }}', 5, 'accepts the result of hmac'],
  ['{{ data | alias_card }}', 'abc', 'accepts a card number'],
  ['{{ data | alias_card: true, true }}', '1234567890', 'would reveal the whole value'],
  ['{{ data | alias_preserve_length: 2, 1 }}', 'abc', 'would reveal the whole value'],
  ['{{ data | alias_preserve_format: 9 }}', 'abc', 'would reveal the whole value'],
  ['{{ data | alias_preserve_format: 2 }}', '12--', 'would reveal the whole value'],
])('each filter of the service: %s of %j fails', (text, data, message) =>
  expect(() => given(text, data)).toThrow(message),
);

it.each<[string, string, RegExp]>([
  ['{{ data | alias_card }}', '3622-7206-2716-5567', /^\d{4}-\d{4}-\d{4}-\d{4}$/],
  ['{{ data | alias_card: true, true }}', '3622-7206-2716-5567', /^3622-7206-\d{4}-5567$/],
  ['{{ data | alias_card: true }}', '378282246310005', /^378282\d{9}$/],
  ['{{ data | alias_preserve_format }}', 'ABc12-é5 ', /^[A-Z]{2}[a-z]\d{2}-[a-z]\d $/],
  ['{{ data | alias_preserve_format: 3, 5 }}', 'ABC12345DEF67890', /^ABC\d{5}[A-Z]{3}67890$/],
  ['{{ data | alias_preserve_length }}', 'AB-12 é', /^[a-z0-9]{7}$/],
  ['{{ data | alias_preserve_length: 3, 5 }}', 'ABC12345DEF67890', /^ABC[a-z0-9]{8}67890$/],
])('aliases are random and have the requested shape: %s of %s', (text, data, shape) => {
  const drawn = Array.from({ length: 20 }, () => given(text, data));
  for (const alias of drawn) expect(alias).toMatch(shape);
  expect(new Set(drawn).size).toBeGreaterThan(10);
});

it('aliases are random and have the requested shape: never return the value itself', () => {
  const drawn = Array.from({ length: 200 }, () => given('{{ data | alias_preserve_format }}', '7'));
  expect(drawn).not.toContain('7');
});
