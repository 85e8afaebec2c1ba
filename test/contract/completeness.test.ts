import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { loadDefinitions } from '../../src/cli/definitions/index.js';
import { openApiDocument } from '../../src/contract/openapi/document.js';
import { OPERATION_IDS, operationRow } from '../../src/contract/operations.js';
import { operationSchemas } from '../../src/contract/schemas/index.js';
import { operationOf } from '../support/contract.js';
import { readFixtures } from '../support/fixture-file.js';

const { commands: COMMANDS } = await loadDefinitions();

const document = openApiDocument() as { paths: Record<string, Record<string, { operationId: string }>> };
const shown = new Set(
  readFixtures().flatMap(({ exchanges }) =>
    exchanges.map(({ method, target }) => operationOf(method, target)),
  ),
);

/** What a schema describes, in the words of `returns`. */
function shapeOf(schema: z.ZodType): string {
  const json = z.toJSONSchema(schema, { unrepresentable: 'any' });
  const { $ref = '', $defs = {}, ...inline } = json;
  const { type, properties } = $defs[$ref.replace('#/$defs/', '')] ?? inline;
  if (type === 'array') return 'list';
  if (type !== 'object') return 'any';
  if (!properties?.data || !properties.pagination) return 'object';
  return JSON.stringify(json).includes('total_items') ? 'page' : 'page-by-cursor';
}

/** The code of a reactor may respond with a body of its own, and a file is no JSON. */
const OF_CODE = new Set(['reactors.react', 'reactors.result', 'documents.download']);

/** Documents are tokens for the commands. */
const isOfDocuments = (id: string) => id.startsWith('documents.');

describe.each(OPERATION_IDS)('%s', (id) => {
  const { method, path, returns = 'object' } = operationRow(id);

  it.skipIf(OF_CODE.has(id))('returns what its schemas say', () => {
    for (const schema of Object.values(operationSchemas(id).responses))
      if (schema && !(schema instanceof z.ZodUndefined)) expect(shapeOf(schema)).toBe(returns);
  });

  it.skipIf(isOfDocuments(id))('is called by a command', () =>
    expect(COMMANDS.filter(({ operations }) => operations?.includes(id))).not.toEqual([]),
  );

  it('has an entry in the OpenAPI document', () =>
    expect(document.paths[path]?.[method.toLowerCase()]?.operationId).toBe(id));

  it('has a fixture', () => expect(shown).toContain(id));
});

it('every command calls operations of the table only', () => {
  for (const { operations = [] } of COMMANDS)
    expect(OPERATION_IDS).toEqual(expect.arrayContaining([...operations]));
});
