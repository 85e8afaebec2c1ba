import fc, { type Arbitrary } from 'fast-check';
import * as z from 'zod';
import { type JsonSchema, type Leaves, ofSchema } from '../../support/json-schema.js';
import { anyJson, meaningfulText, oddText } from './values.js';

/** Generates values that a schema accepts, limits included, and now and then one just beyond a limit. */
export const ofContract = (schema: z.ZodType): Arbitrary<unknown> =>
  ofSchema(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as JsonSchema, LEAVES);

const LEAVES: Leaves = { text, number, anything: anyJson, names: oddText };

function text({ pattern, format, minLength, maxLength }: JsonSchema): Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri')
    return fc.constantFrom('http://127.0.0.1:9/done', 'https://localhost:9/', 'http://[::1]:9/');
  if (pattern) return fc.oneof(fc.stringMatching(new RegExp(pattern)), oddText);
  const edges = [minLength, maxLength].flatMap((length) =>
    length === undefined
      ? []
      : [length - 1, length, length + 1].filter((n) => n >= 0).map((n) => 'x'.repeat(n)),
  );
  const texts = fc.oneof({ arbitrary: meaningfulText, weight: 3 }, oddText);
  return edges.length > 0 ? fc.oneof({ arbitrary: texts, weight: 4 }, fc.constantFrom(...edges)) : texts;
}

function number({ minimum = -(2 ** 53), maximum = 2 ** 53 }: JsonSchema): Arbitrary<number> {
  const edges = [minimum - 1, minimum, minimum + 1, maximum - 1, maximum, maximum + 1, 0.5, -0];
  return fc.oneof(
    fc.integer({ min: minimum, max: Math.min(maximum, minimum + 1000) }),
    fc.constantFrom(...edges),
  );
}
