import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../src/cli/definitions/index.js';
import { openApiDocument } from '../../src/contract/openapi/document.js';
import { OPERATION_IDS, operationRow } from '../../src/contract/operations.js';
import { operationOf } from '../support/contract.js';
import { readFixtures } from '../support/fixture-file.js';

const { commands: COMMANDS } = await loadDefinitions();

const document = openApiDocument() as { paths: Record<string, Record<string, { operationId: string }>> };
const fidelity = readFileSync(new URL('../../docs/fidelity.md', import.meta.url), 'utf8');
const shown = new Set(
  readFixtures().flatMap(({ exchanges }) =>
    exchanges.map(({ method, target }) => operationOf(method, target)),
  ),
);

describe.each(OPERATION_IDS)('%s', (id) => {
  const { method, path } = operationRow(id);

  it('is called by a command', () =>
    expect(COMMANDS.filter(({ operations }) => operations?.includes(id))).not.toEqual([]));

  it('has an entry in the OpenAPI document', () =>
    expect(document.paths[path]?.[method.toLowerCase()]?.operationId).toBe(id));

  it('has a fixture', () => expect(shown).toContain(id));

  it('has a line in docs/fidelity.md', () => expect(fidelity).toContain(`\n| \`${method} ${path}\` | `));
});

it('every command calls operations of the table only', () => {
  for (const { operations = [] } of COMMANDS)
    expect(OPERATION_IDS).toEqual(expect.arrayContaining([...operations]));
});
