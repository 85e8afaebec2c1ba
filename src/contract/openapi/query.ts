import { type OperationId, operationRow } from '../operations.js';
import { operationSchemas } from '../schemas/index.js';
import type { Components, Json } from './components.js';

/** Describes the query parameters of an operation. */
export function queryParameters(id: OperationId, components: Components): Json[] {
  const { queryMaps = [] } = operationRow(id);
  const { properties = {} } = components.convert(operationSchemas(id).query, 'output');
  return Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => {
    const parameter = { name, in: 'query', description, required: false, schema };
    if (!queryMaps.includes(name)) return parameter;
    return { ...parameter, ...deepObject(parameter) };
  });
}

/** `metadata[<key>]=value`, which is the same as `metadata.<key>=value`. OpenAPI has no style for the latter. */
function deepObject({ name, description }: Json): Json {
  return {
    style: 'deepObject',
    explode: true,
    description: `${description} Sent as \`${name}[<key>]=<value>\` or \`${name}.<key>=<value>\`.`,
    example: { order: '7' },
  };
}
