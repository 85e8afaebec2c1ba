import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/contract/index.js';

describe('the OpenAPI document', () => {
  it('passes an OpenAPI 3.1 validator', async () => {
    const result = await new Validator().validate(openApiDocument());
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it('has no warning of a linter, with descriptions everywhere', async () => {
    const rules = {
      'operation-description': 'error',
      'operation-tag-defined': 'error',
      'parameter-description': 'error',
    } as const;
    const config = await createConfig({ extends: ['recommended'], rules });
    const problems = await lintFromString({ source: JSON.stringify(openApiDocument()), config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('names every object, so that generated clients have a type for it', () => {
    const { components, paths } = openApiDocument() as Record<string, { schemas: Record<string, object> }>;
    const { schemas = {} } = components ?? {};
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Token', 'Reactor', 'Proxy', 'Problem']));
    for (const [name, { properties }] of Object.entries<{ properties?: object }>(schemas))
      expect(JSON.stringify(properties ?? {}), name).not.toContain('"properties":');
    expect(JSON.stringify(paths)).not.toContain('"properties":');
  });

  it('describes metadata filters as deepObject, which generated clients send (decisions.md, "Metadata filters")', () => {
    const { paths } = openApiDocument() as {
      paths: Record<string, Record<string, { parameters: { name: string }[] }>>;
    };
    for (const path of ['/tokens', '/v2/tokens'])
      expect(paths[path]?.get?.parameters.find(({ name }) => name === 'metadata')).toMatchObject({
        style: 'deepObject',
        explode: true,
        schema: { type: 'object', additionalProperties: { type: 'string' } },
      });
  });

  it('claims no schema for the error of a reactor', () => {
    const { paths } = openApiDocument() as {
      paths: Record<string, Record<string, { responses: Record<string, { content: object }> }>>;
    };
    expect(paths['/reactors/{id}/react']?.post?.responses.default?.content).toEqual({
      '*/*': { schema: {} },
    });
  });

  it('names the key header under the chosen prefix', () => {
    expect(JSON.stringify(openApiDocument({ prefix: 'ACME' }))).toContain('"name":"ACME-API-KEY"');
  });
});
