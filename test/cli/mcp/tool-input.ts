import fc from 'fast-check';

/** The part of JSON Schema that the tools use. */
interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  required?: string[];
  items?: JsonSchema;
  format?: string;
  pattern?: string;
}

type Input = Record<string, unknown>;

/**
 * Generates arguments for a tool from its input schema.
 * @param words strings to use where any string is allowed: ids, names, expressions
 * @param anything values to use where the schema allows any JSON
 */
export function toolInput(schema: JsonSchema, words: readonly string[], anything: fc.Arbitrary<unknown>) {
  const text = fc.constantFrom(...words);

  function arbitraryOf({ enum: values, anyOf, type, ...rest }: JsonSchema): fc.Arbitrary<unknown> {
    if (values) return fc.constantFrom(...values);
    if (anyOf) return fc.oneof(...anyOf.map(arbitraryOf));
    switch (Array.isArray(type) ? type[0] : type) {
      case 'object':
        return objectOf(rest);
      case 'array':
        return fc.array(arbitraryOf(rest.items ?? {}), { maxLength: 2 });
      case 'string':
        return rest.pattern ? fc.constantFrom('/', '/pci/high/', '/general/') : text;
      case 'integer':
        return fc.integer({ min: 1, max: 100 });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        return anything;
    }
  }

  function objectOf({ properties, required = [], additionalProperties }: JsonSchema): fc.Arbitrary<Input> {
    if (!properties)
      return fc.dictionary(
        fc.constantFrom('note', 'order', 'key'),
        arbitraryOf(typeof additionalProperties === 'object' ? additionalProperties : {}),
        { maxKeys: 2 },
      );
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, arbitraryOf(property)]),
    );
    return fc.record(fields, { requiredKeys: required }) as fc.Arbitrary<Input>;
  }

  return objectOf(schema);
}
