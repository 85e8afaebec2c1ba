import fc, { type Arbitrary } from 'fast-check';
import { anyJson, meaningfulText, oddText } from './values.js';

/** The parts of JSON Schema that the contract's schemas use. */
export interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
}

/** Generates values that a schema accepts, limits included, and now and then one just beyond a limit. */
export function ofSchema(schema: JsonSchema): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(ofSchema));
  switch (schema.type) {
    case 'object':
      return ofObject(schema);
    case 'array':
      return fc.array(ofSchema(schema.items ?? {}), { maxLength: 4 });
    case 'string':
      return ofString(schema);
    case 'integer':
    case 'number':
      return ofNumber(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return anyJson;
  }
}

function ofObject({ properties = {}, required = [], additionalProperties }: JsonSchema): Arbitrary<unknown> {
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, ofSchema(value)]),
  );
  // A few properties at a time: with all of them, one is nearly always invalid and no request passes the checks.
  const chosen = fc
    .subarray(Object.keys(known))
    .chain((names) =>
      fc.record(
        Object.fromEntries(
          Object.entries(known).filter(([name]) => names.includes(name) || required.includes(name)),
        ),
      ),
    );
  if (typeof additionalProperties !== 'object') return chosen;
  return fc.dictionary(oddText, ofSchema(additionalProperties), { maxKeys: 4 });
}

function ofString({ pattern, format, minLength, maxLength }: JsonSchema): Arbitrary<string> {
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

function ofNumber({ minimum = -(2 ** 53), maximum = 2 ** 53 }: JsonSchema): Arbitrary<number> {
  const edges = [minimum - 1, minimum, minimum + 1, maximum - 1, maximum, maximum + 1, 0.5, -0];
  return fc.oneof(
    fc.integer({ min: minimum, max: Math.min(maximum, minimum + 1000) }),
    fc.constantFrom(...edges),
  );
}
