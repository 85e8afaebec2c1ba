import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { OPERATION_IDS, openApiDocument, operationRow } from '../../src/contract/index.js';

describe('the OpenAPI document', () => {
  it('passes an OpenAPI 3.1 validator', async () => {
    const result = await new Validator().validate(openApiDocument());
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it('has an entry for every operation of the table', () => {
    const { paths } = openApiDocument() as { paths: Record<string, Record<string, { operationId: string }>> };
    for (const id of OPERATION_IDS) {
      const { path, method } = operationRow(id);
      expect(paths[path]?.[method.toLowerCase()]?.operationId).toBe(id);
    }
  });

  it('has requests through a proxy, which are no rows of the table', () => {
    const { paths } = openApiDocument() as { paths: Record<string, Record<string, unknown>> };
    expect(Object.keys(paths['/proxy'] ?? {})).toEqual(['get', 'post', 'put', 'patch', 'delete']);
  });

  it('names the key header under the chosen prefix', () => {
    expect(JSON.stringify(openApiDocument({ prefix: 'ACME' }))).toContain('"name":"ACME-API-KEY"');
  });
});
