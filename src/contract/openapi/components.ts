import * as z from 'zod';

export type Json = Record<string, unknown>;

const COMPONENTS = '#/components/schemas/';

/** The named schemas of a document: a zod schema with an id becomes a component, which generated clients name. */
export class Components {
  readonly schemas: Record<string, Json> = {};

  /** Converts a schema to JSON Schema, or a reference if it has an id. @param io whether it is sent or received */
  convert(schema: z.ZodType, io: 'input' | 'output'): Json {
    // Wrapped, because the outermost schema of a conversion is never a reference.
    const { $defs = {}, properties } = z.toJSONSchema(z.object({ schema }), {
      target: 'draft-2020-12',
      unrepresentable: 'any',
      io,
    });
    for (const [name, definition] of Object.entries($defs)) this.#add(name, toComponent(definition));
    return toComponent(properties?.schema);
  }

  #add(name: string, definition: Json): void {
    const known = this.schemas[name];
    if (known && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`The schema ${name} differs between requests and responses. Give it two names.`);
    this.schemas[name] = definition;
  }
}

/** Rewrites the references of zod's definitions to those of the document. */
function toComponent(definition: unknown): Json {
  const text = JSON.stringify(definition, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', COMPONENTS) : value,
  );
  const { id: _, ...schema }: Json = JSON.parse(text);
  return schema;
}
