import fc from 'fast-check';
import * as z from 'zod';

type JsonSchema = Record<string, unknown>;

/** Values that a schema of the contract accepts, made from its JSON Schema; what that cannot say is for the service to refuse. */
export function arbitraryOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  return fromJsonSchema(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as JsonSchema);
}

function fromJsonSchema(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) return fc.oneof(...union.map(fromJsonSchema));
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
    case 'number':
      return fc.integer({ min: bound(schema.minimum, -5), max: bound(schema.maximum, 5_000) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return list(schema);
    case 'object':
      return object(schema);
    default:
      return anything;
  }
}

function bound(value: unknown, fallback: number): number {
  return typeof value === 'number' && Math.abs(value) < 1e9 ? value : fallback;
}

function text({ minLength, maxLength, pattern, format }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return fc.webUrl();
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  const longest = bound(maxLength, 20);
  return fc.string({ minLength: bound(minLength, 0), maxLength: Math.min(longest, 300), unit: 'grapheme' });
}

function list({ items, minItems, maxItems }: JsonSchema): fc.Arbitrary<unknown[]> {
  const item = items ? fromJsonSchema(items as JsonSchema) : anything;
  return fc.array(item, { minLength: bound(minItems, 0), maxLength: Math.min(bound(maxItems, 4), 4) });
}

function object({ properties, required, additionalProperties }: JsonSchema): fc.Arbitrary<unknown> {
  if (!properties) {
    const value = additionalProperties ? fromJsonSchema(additionalProperties as JsonSchema) : anything;
    return fc.dictionary(fc.string({ maxLength: 8 }), value, { maxKeys: 4 });
  }
  const fields = Object.entries(properties as Record<string, JsonSchema>);
  return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, fromJsonSchema(field)])), {
    requiredKeys: (required as string[] | undefined) ?? [],
  });
}

/** Any JSON, data of tokens and expressions among it. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 4 },
  fc.constantFrom(
    '4242424242424242',
    '021000021',
    '123-45-6789',
    { number: '4242424242424242', expiration_month: 3, expiration_year: 2031, cvc: '123' },
    { routing_number: '021000021', account_number: '123' },
    '{{ data }}',
    '{{ data | stringify }}',
    '{{ data.number | reveal_last: 4 }}',
    { number: '{{ data.number | card_mask: true }}', more: ['{{ data }}', null] },
  ),
);

/** What often is forgotten: put in the place of anything. */
export const EDGES: readonly unknown[] = [
  null,
  '',
  ' ',
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  true,
  [],
  {},
  [[]],
  [null],
  { '': null },
  { constructor: 1, toString: 2, hasOwnProperty: 3 },
  'a'.repeat(200),
  'a'.repeat(201),
  'a'.repeat(400),
  'a'.repeat(50_001),
  '\u0000',
  '\ud800',
  '😀'.repeat(100),
  '{{',
  '}}',
  '{{ }}',
  '{{ data',
  '{{ data. }}',
  '{{ data | }}',
  '{{ data | nope }}',
  "{{ data | json: '$..*' }}",
  "{{ data | reveal_last: 'x' }}",
  '{{ data | alias_preserve_format }}',
  '{{ (1..99999999) | join }}',
  '{% if %}',
  '{{ token: x }}',
  '{{ unknown-token }}',
  'type:card AND (',
  'created_at:[a TO b]',
  'metadata.a:*',
  '/a/',
  '/',
  '//',
  '1/2/2001',
  '12/31/2098 11:59:59 PM -05:00',
  '2098-02-30',
  'http://127.0.0.1:1/',
  'ftp://x',
  'module.exports = 5;',
  'module.exports = async (req) => ({ raw: req.args });',
  'syntax error (',
  Array.from({ length: 101 }, (_, index) => `{{ t-${index} }}`),
];
