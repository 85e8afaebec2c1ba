import fc from 'fast-check';
import { JSON_CONTENT_TYPE, MERGE_PATCH_CONTENT_TYPE } from '../../../src/contract/headers.js';
import { OPERATION_IDS, type OperationId, operationRow } from '../../../src/contract/operations.js';
import { operationSchemas } from '../../../src/contract/schemas/index.js';
import { arbitraryOf, EDGES } from './arbitrary.js';

/** A request around the edges of what the contract says of an operation. */
export interface GeneratedRequest {
  operation: OperationId;
  as: 'private' | 'management' | 'public';
  /** Which of the ids seen so far stands in the path, or a text of its own. */
  id: number | string;
  query: unknown;
  /** JSON as text, not necessarily valid. */
  body: string | undefined;
  headers: Record<string, string>;
}

/** Deleting the tenant would end the run; it is tried with keys that may not. */
const NEVER_ALLOWED: ReadonlySet<OperationId> = new Set(['tenants.delete']);

export const generatedRequest: fc.Arbitrary<GeneratedRequest> = fc
  .constantFrom(...OPERATION_IDS)
  .chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      as: keyFor(operation),
      id: fc.oneof({ arbitrary: fc.nat(30), weight: 6 }, pathId),
      query: fc.oneof(
        { arbitrary: schemaOf(operation, 'query'), weight: 4 },
        mutated(schemaOf(operation, 'query')),
      ),
      body: bodyFor(operation),
      headers: headersFor(operation),
    }),
  );

const pathId = fc.oneof(
  fc.uuid(),
  fc.constantFrom(
    'unknown',
    '%00',
    '%ff',
    '%2e%2e',
    '%2F',
    '..%2f',
    'a'.repeat(5_000),
    '%F0%9F%98%80',
    "it's",
    ';',
    ':',
    '*',
  ),
);

function keyFor(operation: OperationId): fc.Arbitrary<GeneratedRequest['as']> {
  const { permission } = operationRow(operation);
  const right = permission?.startsWith('token:') ? 'private' : 'management';
  if (NEVER_ALLOWED.has(operation)) return fc.constantFrom('private', 'public');
  return fc.oneof(
    { arbitrary: fc.constant(right), weight: 9 },
    fc.constantFrom('private', 'management', 'public'),
  );
}

function schemaOf(operation: OperationId, part: 'query' | 'body'): fc.Arbitrary<unknown> {
  const schema = operationSchemas(operation)[part];
  return schema === undefined ? fc.constant(undefined) : arbitraryOf(schema);
}

function bodyFor(operation: OperationId): fc.Arbitrary<string | undefined> {
  if (operationRow(operation).body === undefined)
    return fc.oneof({ arbitrary: fc.constant(undefined), weight: 9 }, fc.constant('{}'));
  const valid = schemaOf(operation, 'body');
  const json = fc.oneof(
    { arbitrary: valid, weight: 5 },
    { arbitrary: mutated(valid), weight: 5 },
    fc.constantFrom(...EDGES),
  );
  const broken = fc.constantFrom(
    '',
    '{',
    '[1,',
    'nul',
    '{"a":1,}',
    '"\\ud800"',
    '{"__proto__":{"a":1}}',
    '['.repeat(500),
    '\u0000',
    '1e999',
    '﻿{}',
  );
  return fc.oneof({ arbitrary: json.map((value) => JSON.stringify(value)), weight: 20 }, broken);
}

function headersFor(operation: OperationId): fc.Arbitrary<Record<string, string>> {
  const { body } = operationRow(operation);
  const right = body === 'merge-patch' ? MERGE_PATCH_CONTENT_TYPE : JSON_CONTENT_TYPE;
  const type = fc.oneof(
    { arbitrary: fc.constant(right), weight: 20 },
    fc.constantFrom(
      JSON_CONTENT_TYPE,
      MERGE_PATCH_CONTENT_TYPE,
      'text/plain',
      'x',
      `${right}; charset=utf-8`,
    ),
  );
  const extra = fc.record(
    {
      'svc-idempotency-key': fc.constantFrom('k1', 'k2', 'k3', 'x'.repeat(2_000)),
      'svc-trace-id': fc.constantFrom('t', 'a b', '<x>', 'x'.repeat(500)),
    },
    { requiredKeys: [] },
  );
  return fc
    .tuple(type, fc.oneof({ arbitrary: fc.constant({}), weight: 4 }, extra))
    .map(([contentType, headers]) => ({
      'content-type': contentType,
      ...headers,
    }));
}

/** One place of a value is changed: replaced, taken away, or given a property that nobody knows. */
function mutated(arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(arbitrary, fc.nat(50), fc.constantFrom(...EDGES), fc.constantFrom('replace', 'remove', 'add'))
    .map(([value, place, edge, how]) => mutate(value, place, edge, how));
}

function mutate(value: unknown, place: number, edge: unknown, how: string): unknown {
  if (typeof value !== 'object' || value === null) return edge;
  const keys = Object.keys(value);
  if (how === 'add' && !Array.isArray(value)) return { ...value, [`extra-${place}`]: edge };
  const key = keys[place % Math.max(1, keys.length)];
  if (key === undefined) return edge;
  const copy = structuredClone(value) as Record<string, unknown>;
  if (how === 'remove') delete copy[key];
  else if (place > 25) copy[key] = mutate(copy[key], place - 25, edge, how);
  else copy[key] = edge;
  return copy;
}
