import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { OPERATION_IDS, operationOf } from '../../src/contract/operations.js';
import { RESOURCES } from '../../src/contract/resources.js';
import { operationSchemas } from '../../src/contract/schemas/index.js';

/** The properties of a schema of an object, with whether each is required. */
function propertiesOf(schema: unknown): Record<string, boolean> {
  if (!(schema instanceof z.ZodObject)) throw new Error('The schema is not that of an object.');
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, property]) => [name, !property.safeParse(undefined).success]),
  );
}

/** Properties of requests that no command sets. */
const WITHOUT_FLAG: readonly string[] = ['create_key'];

describe.each(Object.values(RESOURCES))('the resource $noun', (resource) => {
  const { fields, columns, filters, verbs } = resource;

  test('has an operation for each of its verbs', () => {
    for (const verb of verbs) expect(OPERATION_IDS).toContain(operationOf(resource, verb));
  });

  test('has the fields that its create request accepts, and requires those', () => {
    const properties = propertiesOf(operationSchemas(operationOf(resource, 'create')).body);
    for (const name of WITHOUT_FLAG) delete properties[name];
    const required = Object.entries(fields).map(([name, field]) => [name, field.required ?? false]);
    expect(Object.fromEntries(required)).toEqual(properties);
  });

  test('has columns and filters that the service knows', () => {
    const object = propertiesOf(operationSchemas(operationOf(resource, 'get')).responses[200]);
    for (const { field } of columns) expect(Object.keys(object)).toContain(field.split('.')[0]);
    const query = propertiesOf(operationSchemas(operationOf(resource, 'list')).query);
    expect(Object.keys(query)).toEqual([...filters, 'page', 'size']);
  });
});
