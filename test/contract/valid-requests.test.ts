import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/contract/index.js';
import { type JsonSchema, type Leaves, ofSchema } from '../support/json-schema.js';
import { useServer } from '../support/test-server.js';

const { schemas } = (openApiDocument() as unknown as { components: { schemas: Record<string, JsonSchema> } })
  .components;

/** Values that a client sends which knows nothing but the document. An expression must suit the data: none is generated. */
const LEAVES: Leaves = {
  text: ({ pattern = '^[\\w .-]{1,20}$' }) =>
    fc.stringMatching(new RegExp(pattern)).filter((text) => !text.includes('{{')),
  number: ({ minimum = -1_000, maximum = 1_000 }) => fc.integer({ min: minimum, max: maximum }),
  anything: fc.oneof(fc.boolean(), fc.integer(), fc.stringMatching(/^[\w .-]{1,20}$/)),
  names: fc.stringMatching(/^[a-z]\w{0,8}$/),
  definitions: schemas,
  // Card and routing numbers have a checksum, of which the document cannot say more.
  examples: true,
};

const server = useServer();
const REQUESTS = 150;

test.each([
  ['POST /tokens', '/tokens', 'CreateTokenRequest', 'private'],
  ['POST /webhooks', '/webhooks', 'CreateWebhookRequest', 'management'],
] as const)('requests of %s that the OpenAPI document allows are accepted', async (_what, path, name, as) => {
  const requests = fc.sample(ofSchema({ $ref: name }, LEAVES), path === '/tokens' ? REQUESTS : 15);
  const refused = [];
  for (const body of requests) {
    const { status, body: answer } = await server.post(path, body, { as });
    if (status >= 300) refused.push({ errors: answer.errors ?? answer.detail, body });
  }
  // What JSON Schema cannot say is left: fingerprints of nothing, dates that do not exist.
  expect(refused.length, JSON.stringify(refused.slice(0, 5))).toBeLessThanOrEqual(requests.length * 0.05);
});
