import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/contract/index.js';
import { useServer } from '../support/test-server.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  oneOf?: Schema[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
}

interface Document {
  components: { schemas: Record<string, Schema> };
}

const { schemas } = (openApiDocument() as unknown as Document).components;

/** Generates values that a schema of the document accepts, as clients that know nothing else would send them. */
function valid(schema: Schema): Arbitrary<unknown> {
  if (schema.$ref) return valid(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (schema.examples) return fc.constantFrom(...schema.examples);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const options = schema.oneOf ?? schema.anyOf;
  if (options) return fc.oneof(...options.map(valid));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valid({ ...schema, type })));
  switch (schema.type) {
    case 'object':
      return validObject(schema);
    case 'array':
      return fc.array(valid(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 4 });
    case 'string':
      return validText(schema);
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.oneof(fc.boolean(), fc.integer(), fc.stringMatching(/^[\w .-]{1,20}$/));
  }
}

/** An expression must suit the data, which JSON Schema cannot say: none is generated. */
function validText({ pattern = '^[\\w .-]{1,20}$' }: Schema): Arbitrary<string> {
  return fc.stringMatching(new RegExp(pattern)).filter((text) => !text.includes('{{'));
}

function validObject({ properties, required = [], additionalProperties }: Schema): Arbitrary<unknown> {
  if (properties) {
    const parts = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, valid(part)]));
    return fc.record(parts, { requiredKeys: required });
  }
  const values = typeof additionalProperties === 'object' ? additionalProperties : {};
  return fc.dictionary(fc.stringMatching(/^[a-z]\w{0,8}$/), valid(values), { maxKeys: 4 });
}

const server = useServer();
const REQUESTS = 150;

test.each([
  ['POST /tokens', '/tokens', 'CreateTokenRequest', 'private'],
  ['POST /webhooks', '/webhooks', 'SaveWebhookRequest', 'management'],
] as const)('requests of %s that the OpenAPI document allows are accepted', async (_what, path, name, as) => {
  const requests = fc.sample(valid({ $ref: name }), path === '/tokens' ? REQUESTS : 15);
  const refused = [];
  for (const body of requests) {
    const { status, body: answer } = await server.post(path, body, { as });
    if (status >= 300) refused.push({ errors: answer.errors ?? answer.detail, body });
  }
  // What JSON Schema cannot say is left: fingerprints of nothing, dates that do not exist.
  expect(refused.length, JSON.stringify(refused.slice(0, 5))).toBeLessThanOrEqual(requests.length * 0.05);
});
