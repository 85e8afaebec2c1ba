import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DetokenizedToken, ExpressionError, type Json } from '../../../emulator/expressions/index.js';
import { parseDetokenization } from './evaluate-now.js';
import { NOW } from './now.js';

const uuid = 'e4b7d4e1-4c5d-4354-8f4c-9d3b45d88051';
const odd = "it's 50$ a.b: c";
const tokens = new Map<string, DetokenizedToken>([
  ['card-1', { id: 'card-1', type: 'card', data: { number: '4242424242424242', expiration_month: 3 } }],
  ['text', { id: 'text', type: 'token', data: 'secret', metadata: { a: 'b' } }],
  [uuid, { id: uuid, type: 'token', data: 5 }],
  [odd, { id: odd, type: 'token', data: [1, 2] }],
]);

const replaced = (args: Json) => parseDetokenization(args, 'args', NOW).replace(tokens);

describe('a detokenization expression is replaced with the raw token data', () => {
  it.each<[Json, unknown]>([
    [{ a: '{{text}}' }, { a: 'secret' }],
    [{ a: '{{ card-1 }}' }, { a: { number: '4242424242424242', expiration_month: 3 } }],
    [
      { a: `{{ ${uuid} }}`, b: [`n={{${uuid}}}`] },
      { a: 5, b: ['n=5'] },
    ],
    [`{{ ${odd} }}`, [1, 2]],
    [`{{ ${odd} | first }}!`, '1!'],
    ["{{ card-1 | json: '$.number' | last4 }}", '4242'],
    ["{{ token: text | json: '$.data' }}", 'secret'],
    ['{{ token: text }}', { id: 'text', type: 'token', data: 'secret', metadata: { a: 'b' } }],
    ["{{token: text | json: '$.metadata.a'}}", 'b'],
    ['card {{ card-1 }}', 'card {"number":"4242424242424242","expiration_month":3}'],
    ['{{ text }}{{ text | upcase }}', 'secretSECRET'],
    ["{{ text | append: '}}' }}", 'secret}}'],
    [
      { plain: 'a } b', n: 1, none: null, list: [true] },
      { plain: 'a } b', n: 1, none: null, list: [true] },
    ],
    ["{{ card-1 | json: '$.number' | slice: 99 }}", ''],
  ])('%j', (args, expected) => expect(replaced(args)).toEqual(expected));
});

it('collects distinct token ids in the order of their first use', () => {
  const args: Json = {
    a: '{{ text }} {{ card-1 }}',
    b: ['{{ text | upcase }}', '{{ token: card-1 }}', `{{${uuid}}}`],
  };
  expect([...parseDetokenization(args, 'args', NOW).references]).toEqual([
    ['text', 'args.a'],
    ['card-1', 'args.a'],
    [uuid, 'args.b.2'],
  ]);
});

it('at most 100 distinct tokens may be detokenized', () => {
  const uses = (distinct: number): Json =>
    Array.from({ length: 300 }, (_, index) => `{{ token-${index % distinct} }}`);
  expect(parseDetokenization(uses(100), 'args', NOW).references.size).toBe(100);
  expect(() => parseDetokenization(uses(101), 'args', NOW)).toThrow(ExpressionError);
});

describe('bad expressions name their path', () => {
  it.each<[Json, string]>([
    [{ a: { b: ['{{ text'] } }, 'args.a.b.0'],
    [{ a: '{{ }}' }, 'args.a'],
    [{ a: '{{ token: }}' }, 'args.a'],
    [{ a: '{{ text | nope }}' }, 'args.a'],
    [{ a: '{{ text | }}' }, 'args.a'],
    [{ a: '{{ text } }}' }, 'args.a'],
    [{ a: '{{{text}}}' }, 'args.a'],
    [{ a: '{% if text %}{% endif %}' }, 'args.a'],
    ['{{ text } and more', 'args'],
  ])('%j', (args, path) => expect(pathsOf(() => parseDetokenization(args, 'args', NOW))).toEqual([path]));

  it('contain no data when a filter fails on the data of the token', () => {
    expect(pathsOf(() => replaced({ a: ['{{ card-1 | last4 }}'] }))).toEqual(['args.a.0']);
  });
});

it('the size of all detokenized arguments together is bounded', () => {
  const large = new Map<string, DetokenizedToken>([['big', { data: { text: 'x'.repeat(1_000_000) } }]]);
  const args: Json = Array.from({ length: 1_000 }, () => '{{ big }}');
  expect(() => parseDetokenization(args, 'args', NOW).replace(large)).toThrow(ExpressionError);
});

it('arguments without braces are unchanged', () => {
  const json = fc.jsonValue().filter((value) => !/\{[{%]/.test(JSON.stringify(value)));
  fc.assert(
    fc.property(json, (args) => {
      expect(replaced(args as Json)).toEqual(args);
    }),
  );
});

function pathsOf(work: () => unknown): string[] {
  try {
    return [`no error: ${JSON.stringify(work())}`];
  } catch (error) {
    return Object.keys((error as ExpressionError).errors);
  }
}
