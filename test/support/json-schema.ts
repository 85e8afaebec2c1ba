import fc, { type Arbitrary } from 'fast-check';

/** The parts of JSON Schema that the contract's schemas use. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
}

/** How the values are generated that a schema leaves open. */
export interface Leaves {
  text(schema: JsonSchema): Arbitrary<unknown>;
  number(schema: JsonSchema): Arbitrary<number>;
  /** Where the schema allows any JSON. */
  anything: Arbitrary<unknown>;
  /** Names of properties that the schema does not know. */
  names: Arbitrary<string>;
  /** Takes the examples of a schema that has some in place of its pattern and limits. */
  examples?: boolean;
  /** Schemas by the last part of a `$ref`. */
  definitions?: Record<string, JsonSchema>;
}

/** Generates values that a schema accepts, each optional property in every other of them. */
export function ofSchema(schema: JsonSchema, leaves: Leaves): Arbitrary<unknown> {
  const of = (one: JsonSchema = {}) => ofSchema(one, leaves);
  if (schema.$ref) return of(leaves.definitions?.[schema.$ref.split('/').at(-1) ?? '']);
  if (schema.examples && leaves.examples) return fc.constantFrom(...schema.examples);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const options = schema.oneOf ?? schema.anyOf;
  if (options) return fc.oneof(...options.map(of));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => of({ ...schema, type })));
  const { properties, required = [], additionalProperties, minItems = 0 } = schema;
  switch (schema.type) {
    case 'object':
      if (!properties)
        return fc.dictionary(leaves.names, of(additionalProperties as JsonSchema), { maxKeys: 4 });
      return fc.record(
        Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, of(part)])),
        { requiredKeys: required },
      );
    case 'array':
      return fc.array(of(schema.items), { minLength: minItems, maxLength: 4 });
    case 'string':
      return leaves.text(schema);
    case 'integer':
    case 'number':
      return leaves.number(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return leaves.anything;
  }
}
