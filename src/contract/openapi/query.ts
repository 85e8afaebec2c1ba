import { type OperationId, operationRow } from '../operations.js';
import { operationSchemas } from '../schemas/index.js';
import type { Components, Json } from './components.js';

/** Describes the query parameters of an operation. */
export function queryParameters(id: OperationId, components: Components, lenient: boolean): Json[] {
  const { queryMaps = [] } = operationRow(id);
  const { properties = {} } = components.convert(operationSchemas(id).query, 'output');
  return Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => {
    const parameter = { name, in: 'query', description, required: false, schema };
    if (!queryMaps.includes(name)) return parameter;
    return { ...parameter, ...(lenient ? bracketed(parameter) : dotted(parameter)) };
  });
}

interface MapParameter {
  name: string;
  description: unknown;
  schema: Json;
}

/**
 * `metadata.<key>=value`. OpenAPI has no style for it. The closest is an exploded object, which is sent as its properties, with
 * properties that have the whole names.
 */
function dotted({ name, description, schema }: MapParameter): Json {
  return {
    style: 'form',
    explode: true,
    description: `${description} Properties are named \`${name}.<key>\`, as they are sent.`,
    schema: { ...schema, propertyNames: { pattern: `^${name}\\.` } },
    example: { [`${name}.order`]: '7' },
  };
}

/** `metadata[<key>]=value` */
function bracketed({ name, description }: MapParameter): Json {
  return {
    style: 'deepObject',
    explode: true,
    description: `${description} Sent as \`${name}[<key>]=<value>\`.`,
    example: { order: '7' },
  };
}
