import * as z from 'zod';
import { isObject } from '../../contract/json.js';

/** Inlines references, since not every client follows them, and removes the names of schemas. */
function inlined(value: unknown, definitions: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, definitions));
  if (!isObject(value)) return value;
  if (typeof value.$ref === 'string')
    return inlined(definitions[value.$ref.replace('#/$defs/', '')], definitions);
  const entries = Object.entries(value).filter(([name, part]) => name !== 'id' || typeof part !== 'string');
  return Object.fromEntries(entries.map(([name, part]) => [name, inlined(part, definitions)]));
}

/**
 * Returns the JSON Schema (draft 2020-12) of a schema, without references.
 * @param io the input of a caller, or the output for a handler: defaults filled in, text of a query converted
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const {
    $schema: _,
    $defs = {},
    ...rest
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    unrepresentable: 'any',
    io,
  });
  const result = inlined(rest, $defs);
  return isObject(result) ? result : {};
}
