import { describe, expect, test } from 'vitest';
import { ExpressionFailure } from '../../../emulator/expressions/errors.js';
import { evaluateText } from './evaluate-now.js';
import { NOW } from './now.js';

const evaluate = (text: string, data: unknown) => evaluateText(text, { data }, NOW);

const PEOPLE = [
  { name: 'Bob', age: 30, active: true },
  { name: 'alice', age: 25, active: false },
];

/** Every filter of Liquid's standard library (https://shopify.github.io/liquid/filters), with an example. */
const EXAMPLES: Record<string, [text: string, data: unknown, expected: unknown]> = {
  abs: ['{{ data | abs }}', -17, 17],
  append: ["{{ data | append: '.html' }}", '/a', '/a.html'],
  at_least: ['{{ data | at_least: 5 }}', 4, 5],
  at_most: ['{{ data | at_most: 5 }}', 6, 5],
  base64_decode: ['{{ data | base64_decode }}', 'b25lIHR3bw==', 'one two'],
  base64_encode: ['{{ data | base64_encode }}', 'one two', 'b25lIHR3bw=='],
  base64_url_safe_decode: ['{{ data | base64_url_safe_decode }}', 'YT8-fg==', 'a?>~'],
  base64_url_safe_encode: ['{{ data | base64_url_safe_encode }}', 'a?>~', 'YT8-fg=='],
  capitalize: ['{{ data | capitalize }}', 'my GREAT title', 'My great title'],
  ceil: ['{{ data | ceil }}', 1.2, 2],
  compact: ['{{ data | compact }}', ['a', null, 'b'], ['a', 'b']],
  concat: ['{{ data.a | concat: data.b }}', { a: [1], b: [2] }, [1, 2]],
  date: ["{{ data | date: '%Y-%m-%d' }}", '2026-11-24T10:00:00Z', '2026-11-24'],
  default: ['{{ data.none | default: 2.99 }}', {}, 2.99],
  divided_by: ['{{ data | divided_by: 7 }}', 21, 3],
  downcase: ['{{ data | downcase }}', 'Parker', 'parker'],
  escape: [
    '{{ data | escape }}',
    "Have you read 'James & the Peach'?",
    'Have you read &#39;James &amp; the Peach&#39;?',
  ],
  escape_once: ['{{ data | escape_once }}', '1 < 2 &amp; 3', '1 &lt; 2 &amp; 3'],
  find: ["{{ data | find: 'age', 25 }}", PEOPLE, PEOPLE[1]],
  find_index: ["{{ data | find_index: 'age', 25 }}", PEOPLE, 1],
  first: ['{{ data | first }}', ['a', 'b'], 'a'],
  floor: ['{{ data | floor }}', 1.8, 1],
  h: ['{{ data | h }}', '<b>', '&lt;b&gt;'],
  has: ["{{ data | has: 'age', 25 }}", PEOPLE, true],
  join: ["{{ data | join: ' and ' }}", ['a', 'b'], 'a and b'],
  last: ['{{ data | last }}', ['a', 'b'], 'b'],
  lstrip: ['{{ data | lstrip }}', '  a ', 'a '],
  map: ["{{ data | map: 'name' }}", PEOPLE, ['Bob', 'alice']],
  minus: ['{{ data | minus: 2 }}', 4, 2],
  modulo: ['{{ data | modulo: 2 }}', 3, 1],
  newline_to_br: ['{{ data | newline_to_br }}', 'a\nb', 'a<br />\nb'],
  plus: ['{{ data | plus: 2 }}', 4, 6],
  prepend: ["{{ data | prepend: 'www.' }}", 'a.example', 'www.a.example'],
  reject: ["{{ data | reject: 'active' }}", PEOPLE, [PEOPLE[1]]],
  remove: ["{{ data | remove: 'rain' }}", 'rain and rain', ' and '],
  remove_first: ["{{ data | remove_first: 'rain' }}", 'rain and rain', ' and rain'],
  remove_last: ["{{ data | remove_last: 'rain' }}", 'rain and rain', 'rain and '],
  replace: ["{{ data | replace: 'my', 'your' }}", 'my and my', 'your and your'],
  replace_first: ["{{ data | replace_first: 'my', 'your' }}", 'my and my', 'your and my'],
  replace_last: ["{{ data | replace_last: 'my', 'your' }}", 'my and my', 'my and your'],
  reverse: ['{{ data | reverse }}', [1, 2, 3], [3, 2, 1]],
  round: ['{{ data | round: 2 }}', 183.357, 183.36],
  rstrip: ['{{ data | rstrip }}', ' a  ', ' a'],
  size: ['{{ data | size }}', 'four', 4],
  slice: ['{{ data | slice: 2, 5 }}', 'Liquid', 'quid'],
  sort: ['{{ data | sort }}', ['b', 'a', 'C'], ['C', 'a', 'b']],
  sort_natural: ['{{ data | sort_natural }}', ['b', 'a', 'C'], ['a', 'b', 'C']],
  split: ["{{ data | split: ', ' }}", 'John, Paul', ['John', 'Paul']],
  squish: ['{{ data | squish }}', ' a \n  b ', 'a b'],
  strip: ['{{ data | strip }}', ' a ', 'a'],
  strip_html: ['{{ data | strip_html }}', 'Have <em>you</em> read', 'Have you read'],
  strip_newlines: ['{{ data | strip_newlines }}', 'a\nb', 'ab'],
  sum: ["{{ data | sum: 'age' }}", PEOPLE, 55],
  times: ['{{ data | times: 2 }}', 3, 6],
  truncate: ['{{ data | truncate: 5 }}', 'Ground control', 'Gr...'],
  truncatewords: ['{{ data | truncatewords: 2 }}', 'Ground control to', 'Ground control...'],
  uniq: ['{{ data | uniq }}', [1, 2, 1], [1, 2]],
  upcase: ['{{ data | upcase }}', 'Parker', 'PARKER'],
  url_decode: ['{{ data | url_decode }}', '%27Stop%21%27+said', "'Stop!' said"],
  url_encode: ['{{ data | url_encode }}', 'john@liquid.com b', 'john%40liquid.com+b'],
  where: ["{{ data | where: 'active', true }}", PEOPLE, [PEOPLE[0]]],
};

describe('all standard filters of Liquid (decisions.md, "Expressions")', () => {
  test.each(Object.entries(EXAMPLES))('%s', (_name, [text, data, expected]) => {
    expect(evaluate(text, data)).toEqual(expected);
  });

  test('base64_url_safe_decode rejects what is not base64', () => {
    expect(() => evaluate('{{ data | base64_url_safe_decode }}', 'a+b/')).toThrow(ExpressionFailure);
  });
});

test.each<[text: string, data: unknown, expected: unknown]>([
  ['{{ (1..5) }}', 0, [1, 2, 3, 4, 5]],
  ['{{ (1 .. 5) | size }}', 0, 5],
  ["{{ ( 1 .. data ) | join: '-' }}", 3, '1-2-3'],
  ['{{ (data.a .. data.b) | last }}', { a: 2, b: 4 }, 4],
])('ranges of Liquid: %s', (text, data, expected) => {
  expect(evaluate(text, data)).toEqual(expected);
});

test.each([
  '{{ data. }}',
  '{{ data.. }}',
  '{{ data... }}',
  '{{ (1 .. ) }}',
  '{{ (1... 5) }}',
  '{{ data. | size }}',
  '{{ data .. 3 }}',
])('ranges of Liquid: %s is still not a valid expression', (text) => {
  expect(() => evaluate(text, { a: 1 })).toThrow(ExpressionFailure);
});
