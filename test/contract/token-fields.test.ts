import { expect, it } from 'vitest';
import * as z from 'zod';
import { tokenDataSchemas } from '../../src/contract/schemas/token-data.js';
import { TOKEN_FIELDS } from '../../src/contract/token-fields.js';

/** The properties of every type whose data is an object of known shape, as its schema has them. */
function fieldsOfSchemas(): object {
  const types = Object.entries(tokenDataSchemas).flatMap(([type, schema]) => {
    const { $defs, ...json } = z.toJSONSchema(schema);
    // A schema with a name is a reference to its definition.
    const [named = json] = Object.values($defs ?? {});
    const { properties, required = [] } = named;
    const fields = Object.entries(properties ?? {}).map(([name, property]) => [
      name,
      { type: (property as { type: string }).type, required: required.includes(name) },
    ]);
    return properties ? [[type, Object.fromEntries(fields)]] : [];
  });
  return Object.fromEntries(types);
}

it('the fields that the CLI asks for are those of the schemas, with their types, in their order', () => {
  const fields = Object.entries(TOKEN_FIELDS).map(([type, properties]) => [
    type,
    Object.fromEntries(
      Object.entries(properties).map(([name, { type, required }]) => [name, { type, required }]),
    ),
  ]);
  expect(JSON.stringify(Object.fromEntries(fields), null, 2)).toBe(
    JSON.stringify(fieldsOfSchemas(), null, 2),
  );
});
