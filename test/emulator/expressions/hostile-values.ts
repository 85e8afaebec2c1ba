import fc, { type Arbitrary } from 'fast-check';

/** Generates sizes of every order of magnitude alike, so that most are cheap and all limits are still met. */
const size = (maximum: number): Arbitrary<number> =>
  fc.integer({ min: 0, max: 1_000 }).map((exponent) => Math.round(maximum ** (exponent / 1_000)));

const list = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));

/** Generates data of up to 4 MB divided by `scale`, and of up to 190 levels. */
const hostileData = (scale: number): Arbitrary<unknown> =>
  fc.oneof(
    size(4_000_000 / scale).map((length) => 'x'.repeat(length)),
    size(500_000 / scale).map((length) => '"'.repeat(length)),
    size(100_000 / scale).map((length) => list(length, (index) => index)),
    size(50_000 / scale).map((length) => list(length, (n) => ({ n, s: `s${n}` }))),
    size(50_000 / scale).map((length) => Object.fromEntries(list(length, (index) => [`k${index}`, [index]]))),
    fc.integer({ min: 1, max: 190 }).map((depth) => nest(depth)),
    size(20_000 / scale).map((length) => list(length, () => nest(20))),
    fc
      .tuple(size(Math.max(2, 500 / scale)), fc.integer({ min: 1, max: 180 }))
      .map(([width, depth]) => list(width, () => nest(depth))),
  );

function nest(depth: number): unknown {
  let value: unknown = 'leaf';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { value };
  return value;
}

/** Filters after a value, which is written as `$`. */
const filter = fc.constantFrom(
  'where_exp: "i", "$ contains i"',
  'find_exp: "i", "$ contains -1"',
  'group_by_exp: "i", "i | size"',
  'has_exp: "i", "$ contains -1"',
  'reject_exp: "i", "$ contains i"',
  'sort',
  'uniq',
  'reverse',
  'compact',
  'map: "n"',
  'concat: $',
  'push: $',
  'join: $',
  'join: ","',
  'append: $',
  'prepend: $',
  'replace: "x", $',
  'replace: "", "xxxxxxxx"',
  'split: ""',
  'strip_html',
  'escape',
  'url_encode',
  'slugify',
  'truncatewords: 5',
  'json',
  "json: '$..*'",
  "json: '$..*..*'",
  'json_stringify',
  'stringify',
  'reveal_last: 4',
  "pad_left: 100000, 'x'",
  "hmac: 'sha256', 'k' | to_base64",
  'card_mask: true, true',
  'size',
  'first',
  'to_string',
  'to_number',
);

/** Generates an expression; the result writes it over a variable. */
const hostileExpression = (repetitions: number[]): Arbitrary<(variable: string) => string> =>
  fc.record({ filters: fc.array(filter, { maxLength: 6 }), repetition: fc.constantFrom(...repetitions) }).map(
    ({ filters, repetition }) =>
      (variable) =>
        [`{{ ${variable}`, ...filters].join(' | ').replaceAll('$', variable).concat(' }}').repeat(repetition),
  );

const cheap = fc.tuple(hostileData(200), hostileExpression([1, 1, 1, 2, 20]));
const expensive = fc.tuple(hostileData(1), hostileExpression([1, 1, 1, 2, 20, 500]));

/**
 * Generates data and an expression over it. Few of them use up the budget of a request, which takes a second each; the
 * others cost next to nothing, so that there can be many.
 */
export const hostileCase = fc.oneof({ weight: 9, arbitrary: cheap }, { weight: 1, arbitrary: expensive });
