import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import JSZip from 'jszip';
import { expect, test } from 'vitest';
import { LeakWatch } from '../../../../emulator/services/leaks/leak-watch.js';
import type { TenantRecord, TokenRecord } from '../../../../emulator/store/records.js';
import { width } from '../../../support/width.js';

function token(data: unknown, more: Partial<TokenRecord> = {}): TokenRecord {
  return {
    id: 'the-token',
    tenant_id: 't',
    type: 'token',
    data,
    containers: ['/'],
    created_at: '2026-01-01T00:00:00.000Z',
    ...more,
  } as TokenRecord;
}

const zip = (name: string, content: Buffer, deflated: boolean): Promise<Buffer> =>
  new JSZip()
    .file(name, content)
    .generateAsync({ type: 'nodebuffer', compression: deflated ? 'DEFLATE' : 'STORE' });

/** Reports the leaks of a text that is observed in two parts. */
function leaksOf(data: unknown, text: string, cut = Math.floor(text.length / 2)) {
  const watch = new LeakWatch();
  watch.observeStream('stdout', text.slice(0, cut));
  watch.addToken(token(data));
  watch.observeStream('stdout', text.slice(cut));
  return watch.report();
}

const value = fc
  .string({ unit: 'grapheme', minLength: 6, maxLength: 40 })
  .filter((text) => text.trim().length >= 6 && /[\p{L}\p{N}]/u.test(text));
const surroundings = fc.constantFrom('', ' ', 'a ', '{"x":"', '\n', '=');

/** The ways in which a value is written. */
const FORMS: Record<string, (text: string, before: string) => string> = {
  'as it is': (text) => text,
  'URL-encoded': (text) => encodeURIComponent(text),
  'JSON-escaped': (text) => JSON.stringify(text).slice(1, -1),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
  base64: (text, before) => Buffer.from(before + text).toString('base64'),
  base64url: (text, before) => Buffer.from(before + text).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
};

test.each(Object.keys(FORMS))('a value is found wherever the text is cut: %s', (name) => {
  fc.assert(
    fc.property(value, surroundings, surroundings, fc.nat(80), (secret, before, after, cut) => {
      const text = `log ${before}${FORMS[name]?.(secret, before)}${after && ` ${after}`} end`;
      expect(leaksOf({ secret }, text, cut)).not.toEqual([]);
    }),
    { numRuns: width(10, 200) },
  );
});

test('a value of several lines is found encoded and escaped', () => {
  const key = '-----BEGIN KEY-----\nabc\n-----END KEY-----\n';
  for (const form of Object.values(FORMS))
    expect(leaksOf({ key }, `x ${form(key, '')} y`), form(key, '')).not.toEqual([]);
});

test('no part of a value is in what is reported', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z]{12,20}$/),
      fc.stringMatching(/^[a-z]{12,20}$/),
      fc.constantFrom(...Object.values(FORMS)),
      fc.constantFrom(' ', '&name=', '%20', '","', '/'),
      (first, second, form, between) => {
        const text = `x${between}${form(first, '')}${between}${form(second, '')}${between}y`;
        const leaks = leaksOf({ first, second }, text);
        const shown = JSON.stringify(leaks.map(({ excerpt }) => excerpt));
        for (const secret of [first, second]) {
          for (let at = 0; at + 6 <= secret.length; at++)
            expect(shown).not.toContain(secret.slice(at, at + 6));
          expect(shown).not.toContain(form(secret, '').slice(2, 10));
        }
      },
    ),
    { numRuns: width(15, 300) },
  );
});

test('text without a value has no leak', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 500 }), (text) => {
      expect(leaksOf({ number: '4000007100000139', name: 'Zacharias Quux' }, text)).toEqual([]);
    }),
    { numRuns: width(15, 500) },
  );
});

test('a short value is found in every syntax, and in base64 of it', () => {
  const texts = [
    'card[cvc]=837',
    'card%5Bcvc%5D=837',
    '<cvc>837</cvc>',
    'X-Card-CVC: 837',
    '{\\"card_cvc\\":\\"837\\"}',
  ];
  for (const text of [...texts, ...texts.map((one) => Buffer.from(one).toString('base64'))])
    expect(leaksOf({ cvc: '837' }, `a ${text} b`), text).toMatchObject([{ path: 'data.cvc' }]);
});

test.each([
  ['a part of a longer number', { pin: '123456' }, 'order 91234567, 1234567'],
  ['a part of a longer word', { word: 'secret' }, 'secretary, topsecret'],
  ['a short value without its name', { cvc: '737' }, 'flight 737, {"code":"737"}, {"cvc":"7371"}'],
  [
    'a value that says nothing',
    { status: 'succeeded', id: '000000', line: '------' },
    'succeeded 000000 ------',
  ],
  ['true, false and null', { active: true, nothing: null }, 'true null false'],
])('what is not a leak: %s', (_, data, text) => {
  expect(leaksOf(data, text)).toEqual([]);
});

test('what is not a leak: what the mask of the token shows, and the expiration of a card', () => {
  const watch = new LeakWatch();
  const data = { number: '4242424242424242', expiration_year: 2031, cvc: '737' };
  watch.addToken(token(data, { type: 'card', mask: null }));
  watch.addToken(token({ city: 'Saarbrücken' }, { mask: { city: '{{ data.city }}' } }));
  watch.observe('stdout', '{"expiration_year":2031} Saarbrücken');
  expect(watch.report()).toEqual([]);
});

test('what a reactor computes and returns is not a secret; its arguments and the data of earlier tokens are', () => {
  const watch = new LeakWatch();
  const [computed, argument, earlier] = ['computed-1', 'argument-1', 'earlier-1'];
  watch.addToken(token({ earlier }));
  watch.observeResult('r', { argument }, { list: [computed, argument], earlier });
  watch.addToken(token({ computed, argument }));
  watch.observe('stdout', `${computed} ${argument} ${earlier}`);
  const found = watch.report().map(({ place, path }) => `${place}: ${path}`);
  expect(found).toEqual([
    'result of reactor r: data.argument',
    'result of reactor r: data.earlier',
    'stdout: data.argument',
    'stdout: data.earlier',
  ]);
});

test('one long encoded text that holds a value again and again is read once', () => {
  // From each of the values to both ends of the text, it would take minutes.
  const leaks = leaksOf('111111', '31'.repeat(200_000));
  expect(leaks.map(({ form, excerpt }) => [form, excerpt])).toEqual([['hex', 'XXXXXXXX']]);
});

test('memory is bounded: long output is searched as it comes, across its parts', () => {
  const watch = new LeakWatch();
  watch.addToken(token({ number: '4242424242424242' }));
  const part = `${'x'.repeat(99)}\n`.repeat(10_000);
  for (let round = 0; round < 18; round++) watch.observeStream('stdout', part);
  watch.observeStream('stdout', '4242 4242 4242');
  for (let round = 0; round < 18; round++)
    watch.observeStream('stdout', round === 0 ? ` 4242\n${part}` : part);
  expect(watch.report()).toMatchObject([{ place: 'stdout', line: 180_001, form: 'grouped digits' }]);
});

const number = '4242424242424242';
const text = `paid with ${number} by Zoë Müller-Hübner`;
const wide = Buffer.from(text, 'utf16le');
const zipped = await zip('a.txt', Buffer.from(text), true);
test.each<[string, Buffer]>([
  ['Latin-1', Buffer.from(text, 'latin1')],
  ['UTF-16LE', wide],
  ['UTF-16BE', Buffer.from(wide).swap16()],
  ['gzip', gzipSync(text)],
  ['gzip of gzip', gzipSync(gzipSync(text))],
  ['zip, stored', await zip('a.txt', Buffer.from(text), false)],
  ['zip, deflated', zipped],
  ['zip in zip', await zip('b.zip', zipped, false)],
  [
    'the page of an HTML report',
    Buffer.from(`<template>data:application/zip;base64,${zipped.toString('base64')}</template>`),
  ],
])('what bytes hold is found: %s', (_, bytes) => {
  const watch = new LeakWatch();
  watch.addToken(token({ number, name: 'Zoë Müller-Hübner' }));
  watch.observeFile('file x', bytes);
  const paths = watch.report().map(({ path }) => path);
  expect([...new Set(paths)].sort()).toEqual(['data.name', 'data.number']);
});

test('what bytes hold is found: a damaged archive, and one that unpacks to more than is read, end nothing', () => {
  const watch = new LeakWatch();
  const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024));
  const damaged = Buffer.from(zipped).fill(7, 40, 60);
  for (const bytes of [bomb, damaged, gzipSync(text).subarray(0, 20), Buffer.from('PK\x03\x04')])
    watch.observeFile('file x', bytes);
  expect(watch.report()).toEqual([]);
});

test('many values that begin alike are added and found', () => {
  const watch = new LeakWatch();
  for (let n = 0; n < 5_000; n++) watch.addToken(token({ number: `400000${String(1e9 + n)}` }));
  watch.observe('stdout', 'paid with 4000001000004999');
  expect(watch.report()).toMatchObject([{ place: 'stdout', path: 'data.number' }]);
});

test('the tenant of a test is named', () => {
  const watch = new LeakWatch();
  watch.addRecord('tenants', { id: 'first', name: 'default' } as TenantRecord);
  watch.addRecord('tenants', { id: 't', name: 'pays with a card' } as TenantRecord);
  watch.addToken(token({ number: '4242424242424242' }));
  watch.observe('stdout', '4242424242424242');
  expect(watch.report()).toMatchObject([{ tenant: 'pays with a card' }]);
});
