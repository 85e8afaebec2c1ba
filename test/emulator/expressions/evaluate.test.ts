import { describe, expect, it } from 'vitest';
import { ExpressionError, ExpressionFailure, type Json } from '../../../emulator/expressions/index.js';
import { evaluateStructure, evaluateText } from './evaluate-now.js';
import { NOW } from './now.js';

const data = {
  number: '4242424242424242',
  amount: 5,
  flag: true,
  none: null,
  list: [{ p: 3 }, { q: 1 }],
  o: { b: 1, a: [2] },
};

it.each<[string, unknown]>([
  ['{{ data.amount }}', 5],
  ['{{data.flag}}', true],
  ['{{ data.o }}', { b: 1, a: [2] }],
  ['{{ data.list }}', [{ p: 3 }, { q: 1 }]],
  ['{{ data.none }}', null],
  ['{{ data.missing }}', undefined],
  ['{{ data.missing.deeper }}', undefined],
  ["{{ data['number'] }}", '4242424242424242'],
  ['{{ data.list[0].p }}', 3],
  ['{{- data.amount -}}', 5],
  ['{{ data.amount | plus: 1 }}', 6],
  ["{{ data.list | map: 'p' }}", [3, null]],
  ['{{ data.number, reveal_last: 4 }}', 'XXXXXXXXXXXX4242'],
  ["{{ data.number , reveal_last: 4, '#' | upcase }}", '############4242'],
  ['{{ true }}', true],
  ['{{ "{%" }}', '{%'],
  ['{{ data.__proto__ }}', undefined],
  ['{{ data.constructor }}', undefined],
])('a string that is exactly one expression evaluates to a typed value: %s', (text, expected) =>
  expect(evaluateText(text, { data }, NOW)).toEqual(expected),
);

it.each([
  ['n={{ data.amount }}', 'n=5'],
  ['{{ data.o }}!', '{"b":1,"a":[2]}!'],
  ['{{ data.list }}{{ data.flag }}', '[{"p":3},{"q":1}]true'],
  ['[{{ data.missing }}|{{ data.none }}]', '[|]'],
  [' {{ data.amount }}', ' 5'],
  ['no expression', 'no expression'],
  ['}} {', '}} {'],
  ['', ''],
])('text around an expression makes the result a string, objects rendered as JSON: %s', (text, expected) =>
  expect(evaluateText(text, { data }, NOW)).toBe(expected),
);

it.each([
  ['{{ data ) junk }}', 'text after its end'],
  ['{{ data junk }}', 'more than one value'],
  ['{{ data, 1 }}', 'text after its end'],
  ['{{ data.number, nope: 4 }}', 'not a valid expression'],
  ['{{ data', 'not closed'],
  ["{{ 'data }}", 'not closed'],
  ['{{ }}', 'not a valid expression'],
  ['{{ | upcase }}', 'not a valid expression'],
  ['{{ data. }}', 'must be followed by a property'],
  ['{{ data.o. | stringify }}', 'must be followed by a property'],
  ['{{ data | }}', 'must be followed by a filter'],
  ['{{ data | upcase | | downcase }}', 'must be followed by a filter'],
  ['{{ data == }}', 'lacks an operand'],
  ['{{ data | upcase downcase }}', 'expected ":"'],
  ['{{ data | nope }}', 'not a valid expression: unknown filter nope.'],
  ['{{ number }}', 'unknown variable "number"; the variables are data'],
  ['{{ metadata.a }}', 'unknown variable "metadata"'],
  ['{{ data[other] }}', 'unknown variable "other"'],
  ['{{ data[data.a[other.b]] }}', 'unknown variable "other"'],
  ['{{ data | append: other }}', 'unknown variable "other"'],
  ['{{ data | reveal: first: other }}', 'unknown variable "other"'],
  ['{{ (1..other) }}', 'unknown variable "other"'],
  ['{{ data == other }}', 'unknown variable "other"'],
  ['{% if data %}x{% endif %}', 'tags'],
  ['x {% raw %}{{ data }}{% endraw %}', 'tags'],
  ['{{ 1 | divided_by: 0 }}', 'not a finite number'],
])('invalid syntax is an error: %s', (text, message) => {
  expect(() => evaluateText(text, { data }, NOW)).toThrow(ExpressionFailure);
  expect(() => evaluateText(text, { data }, NOW)).toThrow(message);
});

describe('masks of any shape: every string inside is an expression', () => {
  it.each<[Json, unknown]>([
    ['{{ data.number | reveal_last: 4 }}', 'XXXXXXXXXXXX4242'],
    [
      { a: '{{ data.amount }}', b: 'plain', c: { d: ['{{ data.number | last4 }}'] } },
      { a: 5, b: 'plain', c: { d: ['4242'] } },
    ],
    [
      ['{{ data.missing }}', '{{ data.amount }}'],
      [null, 5],
    ],
    [{ gone: '{{ data.missing }}', kept: 'x{{ data.missing }}' }, { kept: 'x' }],
    [{ gone: '{{ data.missing | reveal_last: 4 }}' }, {}],
    [7, 7],
    [false, false],
    [null, null],
    ['{{ data.missing }}', undefined],
  ])('%j', (mask, expected) => expect(evaluateStructure(mask, { data }, 'mask', NOW)).toEqual(expected));

  it('names the path of every string that fails', () => {
    const mask: Json = { a: '{{ data | nope }}', b: ['fine', { c: '{{ data ) }}' }] };
    expect(errorsOf(() => evaluateStructure(mask, { data }, 'mask', NOW))).toEqual({
      'mask.a': ['not a valid expression: unknown filter nope.'],
      'mask.b.1.c': ['the expression has text after its end'],
    });
  });

  it('keeps a property named __proto__ a property', () => {
    const mask = JSON.parse('{ "__proto__": "{{ data.amount }}" }') as Json;
    expect(JSON.stringify(evaluateStructure(mask, { data }, 'mask', NOW))).toBe('{"__proto__":5}');
  });
});

const long = 'a'.repeat(5_000_000);
const rows = Array.from({ length: 100_000 }, (_, p) => ({ p }));
let deep: Json = 1;
for (let level = 0; level < 50_000; level++) deep = [deep];

it.each<[string, string, unknown]>([
  ['a replacement that multiplies', "{{ data | replace: 'a', data }}", long],
  ['a chain of appends', `{{ data${' | append: data'.repeat(100)} }}`, long],
  ['a huge range', '{{ (1..99999999999) | join }}', ''],
  ['nested searches', `{{ data | has_exp: 'x', 'data | has_exp: "y", "y.p < 0"' }}`, rows],
  ['a JSONPath in a JSONPath', "{{ data | json: '$[?$[?@.p == @.q]]' }}", rows],
  ['a JSONPath that visits everything', "{{ data | json: '$..p' }}", rows],
  ['a regular expression in a JSONPath', '{{ data | json: \'$[?search(@.p, "(a+)+$")]\' }}', rows],
  ['huge padding', "{{ data | pad_left: 999999999, '0' }}", 'x'],
  ['deep data through a filter', '{{ data | stringify }}', deep],
  ['deep data as text', 'x{{ data }}', deep],
  ['a text over 64 KB', `${' '.repeat(65_536)}{{ data }}`, 'x'],
  ['parentheses', `{{ ${'('.repeat(60_000)} }}`, 'x'],
])('evaluation is bounded in time, memory and output size: %s', (_name, text, value) => {
  const start = performance.now();
  expect(() => evaluateText(text, { data: value }, NOW)).toThrow(ExpressionFailure);
  expect(performance.now() - start).toBeLessThan(20_000);
});

it('evaluation is bounded in time, memory and output size: bounds many small expressions together', () => {
  const many = Array.from({ length: 100_000 }, () => '{{ data | upcase }}');
  expect(() => evaluateStructure(many, { data: long }, 'mask', NOW)).toThrow(ExpressionError);
  expect(() => evaluateStructure(deep, { data: 1 }, 'mask', NOW)).toThrow(ExpressionError);
});

it('never repeats the data in a message', () => {
  const secret = 'sekret-4111';
  for (const text of [
    '{{ data | base64_decode }}',
    '{{ data | to_number }}',
    '{{ data | card_bin }}',
    "{{ data | json: '$.a' }}",
  ]) {
    expect(messageOf(() => evaluateText(text, { data: secret }, NOW))).not.toContain('ekret');
  }
});

function errorsOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as ExpressionError).errors;
  }
}

function messageOf(work: () => unknown): string {
  try {
    return `no failure: ${String(work())}`.slice(0, 10);
  } catch (error) {
    return (error as Error).message;
  }
}

it.each([
  ["{{ 'now' | date: '%Y-%m-%dT%H:%M:%S' }}", '2031-02-03T04:05:06'],
  ["{{ 'today' | date: '%s' }}", '1927857906'],
  ["{{ 'now' | date_to_xmlschema }}", '2031-02-03T04:05:06+00:00'],
  ["{{ 'now' | date_to_rfc822 }}", 'Mon, 03 Feb 2031 04:05:06 +0000'],
  ["{{ 'now' | date_to_string }}", '03 Feb 2031'],
  ["{{ 'now' | date_to_long_string }}", '03 February 2031'],
  ["{{ data | map: 'on' | first | date: '%Y' }}", '2020'],
  [`{{ data | group_by_exp: "item", "'now' | date: '%Y'" | map: 'name' | join }}`, '2031'],
])("now is the time of the emulator's clock: %s", (text, expected) =>
  expect(evaluateText(text, { data: [{ on: '2020-01-01' }] }, NOW)).toBe(expected),
);

const large = 'x'.repeat(1_000_000);
it.each<[string, Json]>([
  ['{{ data | replace: "x", data }}', large],
  ['{{ data | replace: "", data }}', large],
  ['{{ data | append: "!" }}', Array<string>(1_000).fill(large)],
  ['{{ data | upcase }}', Array<string>(1_000).fill(large)],
  ['{{ data | join: data[0] }}', Array<string>(1_000).fill(large)],
])('what a filter would build is charged before it is built: %s', (text, value) =>
  expect(() => evaluateText(text, { data: value }, NOW)).toThrow('are longer than'),
);
