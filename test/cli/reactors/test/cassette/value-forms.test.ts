import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ValueForms } from '../../../../../src/cli/reactors/test/cassette/value-forms.js';

const CARD = '4242424242424242';
const forms = new ValueForms([{ name: 'token.card.number', value: CARD }]);

test.each([
  ['plain', `card ${CARD}.`, 'card {{token.card.number}}.'],
  ['with spaces', 'card 4242 4242 4242 4242.', 'card {{token.card.number|digits:#### #### #### ####}}.'],
  ['with dashes', '4242-4242-4242-4242', '{{token.card.number|digits:####-####-####-####}}'],
  ['with encoded spaces', '4242%204242%204242%204242', '{{token.card.number|digits:####_####_####_####}}'],
  [
    'in base64',
    `Basic ${Buffer.from(`user:${CARD}`).toString('base64')}`,
    'Basic {{base64 "user:{{token.card.number}}"}}',
  ],
  [
    'in base64 without padding',
    `${Buffer.from(`{"ab":"${CARD}"}`).toString('base64url')}.x`,
    '{{base64url "{\\"ab\\":\\"{{token.card.number}}\\"}"}}.x',
  ],
  [
    'in base64 of bytes',
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(CARD)]).toString('base64'),
    '{{base64-bytes "ÿþ{{token.card.number}}"}}',
  ],
  ['in hex', Buffer.from(CARD).toString('hex'), '{{hex "{{token.card.number}}"}}'],
  [
    'in base64 of base64',
    Buffer.from(Buffer.from(CARD).toString('base64')).toString('base64'),
    '{{base64 "{{base64 \\"{{token.card.number}}\\"}}"}}',
  ],
])('the form of a value: %s is replaced by a template, which gives the text again', (_, text, template) => {
  expect(forms.hide(text)).toBe(template);
  expect(forms.fill(template)).toBe(text);
});

test('the form of a value: escaped in a URL, a form, JSON and XML is replaced as well', () => {
  const value = 'a <b> & "c"/é';
  const note = new ValueForms([{ name: 'token.note', value }]);
  expect(note.hide(`?q=${encodeURIComponent(value)}`)).toBe('?q={{token.note|url}}');
  expect(note.hide(new URLSearchParams({ q: value }).toString())).toBe('q={{token.note|form}}');
  expect(note.hide(JSON.stringify({ q: value }))).toBe('{"q":"{{token.note|json}}"}');
  const ascii = String.raw`a <b> & \"c\"/\u00e9`;
  expect(note.hide(ascii)).toBe('{{token.note|json-ascii}}');
  expect(note.fill('{{token.note|json-ascii}}')).toBe(ascii);
  expect(note.hide('<q>a &lt;b&gt; &amp; &quot;c&quot;/é</q>')).toBe('<q>{{token.note|xml}}</q>');
});

test('short values, other text and unknown templates stay', () => {
  const short = new ValueForms([{ name: 'token.pin', value: '12345' }]);
  expect(short.hide('12345')).toBe('12345');
  expect(forms.hide('an order of {{ things }} for dXNlcjpwYXNz')).toBe(
    'an order of {{ things }} for dXNlcjpwYXNz',
  );
  expect(forms.fill('{{token.other}} {{rot13 "x"}}')).toBe('{{token.other}} {{rot13 "x"}}');
});

/** Text of characters that no form leaves as they are by chance. */
const value = fc.string({ unit: fc.constantFrom(...'αβγ4711 <&"/\\+%'), minLength: 8, maxLength: 24 });
const around = fc.string({ unit: fc.constantFrom(...'xyz.,: '), maxLength: 8 });
const encodings: ((text: string) => string)[] = [
  (text) => text,
  encodeURIComponent,
  (text) => new URLSearchParams({ '': text }).toString().slice(1),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => Buffer.from(`u:${text}`).toString('base64'),
  (text) => Buffer.from(`u:${text}`).toString('base64url'),
  (text) => Buffer.from(text).toString('hex'),
];

test('no form of a value is left, and filling gives the text again', () => {
  fc.assert(
    fc.property(
      value,
      fc.array(fc.tuple(around, fc.constantFrom(...encodings)), { minLength: 1, maxLength: 5 }),
      (secret, parts) => {
        const one = new ValueForms([{ name: 'token.a', value: secret }]);
        const text = parts.map(([before, encode]) => `${before}|${encode(secret)}|`).join('');
        const hidden = one.hide(text);
        for (const encode of encodings) expect(hidden).not.toContain(encode(secret));
        expect(one.fill(hidden)).toBe(text);
      },
    ),
    { numRuns: 300 },
  );
});
