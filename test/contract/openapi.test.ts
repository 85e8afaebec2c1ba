import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { OPERATION_IDS, openApiDocument, operationRow } from '../../src/contract/index.js';

describe('the OpenAPI document', () => {
  it('passes an OpenAPI 3.1 validator', async () => {
    const result = await new Validator().validate(openApiDocument());
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it.each([{ lenient: false }, { lenient: true }])(
    'has no warning of a linter, with descriptions everywhere (%o)',
    async (options) => {
      const rules = {
        'operation-description': 'error',
        'operation-tag-defined': 'error',
        'parameter-description': 'error',
      } as const;
      const config = await createConfig({ extends: ['recommended'], rules });
      const problems = await lintFromString({ source: JSON.stringify(openApiDocument(options)), config });
      expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    },
  );

  it('names every object, so that generated clients have a type for it', () => {
    const { components, paths } = openApiDocument() as Record<string, { schemas: Record<string, object> }>;
    const { schemas = {} } = components ?? {};
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Token', 'Reactor', 'Proxy', 'Problem']));
    for (const [name, { properties }] of Object.entries<{ properties?: object }>(schemas))
      expect(JSON.stringify(properties ?? {}), name).not.toContain('"properties":');
    expect(JSON.stringify(paths)).not.toContain('"properties":');
  });

  it('names the metadata filters as the service takes them', () => {
    const filterOf = (lenient: boolean) => {
      const { paths } = openApiDocument({ lenient }) as {
        paths: Record<string, Record<string, { parameters: { name: string; style?: string }[] }>>;
      };
      return paths['/tokens']?.get?.parameters.find(({ name }) => name === 'metadata');
    };
    expect(filterOf(false)).toMatchObject({
      style: 'form',
      explode: true,
      example: { 'metadata.order': '7' },
    });
    expect(filterOf(true)).toMatchObject({ style: 'deepObject', explode: true, example: { order: '7' } });
  });

  it('claims no schema for the error of a reactor', () => {
    const { paths } = openApiDocument() as {
      paths: Record<string, Record<string, { responses: Record<string, { content: object }> }>>;
    };
    expect(paths['/reactors/{id}/react']?.post?.responses.default?.content).toEqual({
      '*/*': { schema: {} },
    });
  });

  it('has an entry for every operation of the table', () => {
    const { paths } = openApiDocument() as { paths: Record<string, Record<string, { operationId: string }>> };
    for (const id of OPERATION_IDS) {
      const { path, method } = operationRow(id);
      expect(paths[path]?.[method.toLowerCase()]?.operationId).toBe(id);
    }
  });

  it('has requests through a proxy, which are not rows of the table', () => {
    const { paths } = openApiDocument() as { paths: Record<string, Record<string, unknown>> };
    expect(Object.keys(paths['/proxy'] ?? {})).toEqual([
      'get',
      'post',
      'put',
      'patch',
      'delete',
      'head',
      'options',
    ]);
  });

  it('names the key header under the chosen prefix', () => {
    expect(JSON.stringify(openApiDocument({ prefix: 'ACME' }))).toContain('"name":"ACME-API-KEY"');
  });
});
