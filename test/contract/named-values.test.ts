import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NamedValues, saysNothing } from '../../src/contract/named-values.js';
import { width } from '../support/width.js';

/** How a short value is written with its name. */
const SYNTAXES: Record<string, (name: string, value: string) => string> = {
  JSON: (name, value) => JSON.stringify({ amount: 5, [name]: value }),
  'JSON number': (name, value) => `{"a":1,"${name}": ${value}}`,
  'JSON in indented lines': (name, value) => JSON.stringify({ card: { [name]: value, x: 1 } }, null, 2),
  'JSON in JSON': (name, value) => JSON.stringify({ body: JSON.stringify({ [name]: value }) }),
  'JSON in JSON in JSON': (name, value) =>
    JSON.stringify([JSON.stringify({ body: JSON.stringify({ [name]: value }) })]),
  'list of names and values': (name, value) => JSON.stringify([[name, value]]),
  'object with name and value': (name, value) => JSON.stringify([{ name, value }]),
  'object as Node.js prints it': (name, value) => `{ ${name}: '${value}', amount: 5 }`,
  'map as Node.js prints it': (name, value) => `Map(1) { '${name}' => '${value}' }`,
  form: (name, value) => `a=b&${name}=${value}`,
  'form with brackets': (name, value) => `card[${name}]=${value}&a=b`,
  'form with encoded brackets': (name, value) => `card%5B${name}%5D=${value}&a=b`,
  'form in lower-case percent codes': (name, value) => `card%5b${name}%5d=${value}`,
  query: (name, value) => `GET /charge?amount=5&${name}=${value}#top HTTP/1.1`,
  'encoded query': (name, value) => encodeURIComponent(`?x=1&${name}=${value}&y=2`),
  'XML element': (name, value) => `<card><${name}>${value}</${name}></card>`,
  'XML element with a namespace and attributes': (name, value) => `<c:${name} id="1">${value}</c:${name}>`,
  'XML section': (name, value) => `<${name}><![CDATA[${value}]]></${name}>`,
  'XML attribute': (name, value) => `<card ${name}="${value}"/>`,
  'input of a page': (name, value) => `<input name="${name}" value="${value}">`,
  'escaped XML': (name, value) => `&lt;${name}&gt;${value}&lt;/${name}&gt;`,
  'multipart field': (name, value) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--`,
  'multipart field with a type': (name, value) =>
    `--b\r\nContent-Disposition: form-data; name="card[${name}]"\r\nContent-Type: text/plain\r\n\r\n${value}\r\n`,
  header: (name, value) => `accept: */*\r\nX-Card-${name}: ${value}\r\n`,
  logfmt: (name, value) => `level=info ${name}=${value} msg=paid`,
  'quoted logfmt': (name, value) => `level=info ${name}="${value}"`,
  'label in a sentence': (name, value) => `Paid with ${name}: ${value}.`,
  YAML: (name, value) => `card:\n  - ${name}: ${value}\n    name: x`,
  'environment variable': (name, value) => `CARD_${name.toUpperCase()}=${value}\n`,
};

const NAMES: Record<string, readonly string[]> = {
  cvc: 'cvc CVC cvv cvv2 CVC2 card_cvc cardCvc card-cvc security_code securityCode'.split(' '),
  pin: ['pin', 'PIN', 'card_pin', 'cardPin', 'pin_code'],
  favourite_colour: ['favourite_colour', 'favouriteColour', 'user_favourite_colour'],
};

function find(name: string, value: string, text: string): string[] {
  const values = new NamedValues<string>();
  values.add(name, value, 'it');
  return values.find(text).map(({ start, end }) => text.slice(start, end));
}

test.each(Object.keys(SYNTAXES))('a random short secret is found behind its name: %s', (syntax) => {
  const cases = Object.entries(NAMES).flatMap(([name, labels]) => labels.map((label) => ({ name, label })));
  fc.assert(
    fc.property(fc.constantFrom(...cases), fc.integer({ min: 1, max: 99_999 }), ({ name, label }, number) => {
      const text = SYNTAXES[syntax]?.(label, String(number)) ?? '';
      expect(find(name, String(number), text), text).toEqual([String(number)]);
    }),
    { numRuns: width(60, 1_000) },
  );
});

test('a label of several words, and one without separators between them', () => {
  expect(find('cvc', '837', 'Security code: 837')).toEqual(['837']);
  expect(find('security_code', '837', '{"cvc":"837"}')).toEqual(['837']);
  expect(find('cvc', '837', 'cardcvc=837')).toEqual(['837']);
});

test.each([
  ['without a name', 'flight 837, room 837'],
  ['behind another name', '{"code":"837","amount":837,"cvcs_left":837} zip=837'],
  ['as a part of a number', 'cvc=8371 cvc=837.5 cvc: 1837'],
  ['as a part of a word', 'cvc=837abc'],
  ['behind a name that only contains it', 'cvc_enabled=837 recvccount=837'],
])('what is not behind its name is not found: %s', (_, text) => {
  expect(find('cvc', '837', text)).toEqual([]);
});

test('what is not behind its name is not found: random text', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 500 }), (text) => {
      expect(find('cvc', '837', text)).toEqual([]);
    }),
    { numRuns: width(100, 2_000) },
  );
});

test('values that say nothing about anybody are known', () => {
  for (const value of ['undefined', 'null', '------', '000000', 'succeeded', 'TRUE', 'xxxx', '****'])
    expect(saysNothing(value), value).toBe(true);
  for (const value of ['837', '4242424242424242', 'Zoë', '111111', '0042'])
    expect(saysNothing(value), value).toBe(false);
});

test('a long text without line feeds is searched in time that grows with its length', () => {
  const values = new NamedValues<string>();
  values.add('cvc', '837', 'it');
  for (const part of ['name="', '<cvc ', 'cvc', 'cvc ', '"cvc', 'cvc%5D', '%5B', 'a-'])
    expect(values.find(part.repeat(200_000))).toEqual([]);
});
