import fc, { type Arbitrary } from 'fast-check';

/** One of words that blanks separate; `∅` stands for nothing. */
export const oneOf = (words: string): Arbitrary<string> =>
  fc.constantFrom(...words.split(/\s+/).map((word) => (word === '∅' ? '' : word)));

/** Texts that are valid for some operation, so that requests pass the first check. */
export const meaningfulText: Arbitrary<string> = fc.constantFrom(
  ...'token card bank 4242424242424242 021000021 123-45-6789 /pci/high/ / // true false 1/2/2099 2/30/2099'.split(
    ' ',
  ),
  '{{ data }}',
  '{{ data | reveal_last: 4 }}',
  '{{ data.number | last4 }}',
  '{{ data | stringify }}',
  "{{ data | json: '$..number' }}",
  "{{ data | card_exp: 'MM/YY' }}",
  '{{ data | alias_preserve_format: 2, 4 }}',
  "{{ data | pad_left: 9999999999, 'x' }}",
  "{{ data | hmac: 'sha256', 'k' | to_base64 }}",
  '{{ data | replace: "a", "bb" | split: "" | join: data }}',
  '{{ metadata.a }}',
  '{{ data | no_such_filter }}',
  '{{ data',
  '}}{{',
  '{% for i in (1..1000000000) %}x{% endfor %}',
  '{{ 5c8d2a52-4f4e-4b9e-9c8a-8d6a3e0e7a11 }}',
  '{{ token: 5c8d2a52-4f4e-4b9e-9c8a-8d6a3e0e7a11 | json: "$.data" }}',
  '8/31/2099 3:30:00 PM -05:00',
  '2099-01-01T00:00:00Z',
  '12/31/9999 11:59:59 PM -14:00',
  'type:card AND NOT metadata.a:x*',
  'created_at:[2020-01-01 TO *]',
  'data:"4242" OR (id:a* AND container:/pci/)',
  'id:(',
  'module.exports = async (req) => ({ raw: req.args })',
  'module.exports = async (req) => ({ tokenize: req.args })',
  'module.exports = () => { throw new Error("no") }',
  'export default async () => undefined',
  'module.exports = {',
);

/** Texts that careless code does not handle. */
export const oddText: Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    ...['', ' ', '\u0000', '\ud800', '\u202e\u200b', '\ufeff', '..\\..\\windows'],
    ...'__proto__ constructor prototype toString hasOwnProperty ../../etc/passwd'.split(' '),
    "' OR 1=1 --",
    ...'<script> %00 %2e%2e%2f null NaN 1e999 -0 İstanbul ß'.split(' '),
    '9'.repeat(400),
    'a'.repeat(10_000),
    '{'.repeat(3_000),
    '{{'.repeat(500),
    '('.repeat(2_000),
  ),
);

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i += 1) value = wrap(value);
  return value;
}

/** Generates any JSON, including unusual values. */
export const anyJson: Arbitrary<unknown> = fc.oneof(
  { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 3 },
  { arbitrary: meaningfulText, weight: 3 },
  oddText,
  fc.constantFrom<unknown>(
    null,
    0,
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER,
    [],
    {},
    { number: '4242424242424242' },
    { number: '4242424242424242', cvc: 123, expiration_month: 12, expiration_year: 2030 },
    { routing_number: '021000021', account_number: '1' },
    { type: 'token', data: { type: 'card', data: 1 } },
    nested(60, (inner) => [inner]),
    nested(60, (inner) => ({ data: inner })),
    nested(250, (inner) => [inner]),
    Array.from({ length: 200 }, () => '{{ data }}'),
    Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, i])),
  ),
);
