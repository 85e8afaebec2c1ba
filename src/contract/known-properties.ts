import type * as z from 'zod';

type Definition = z.core.$ZodTypes['_zod']['def'];

/** Removes what surrounds the definition of a value: optional, nullable, a default, a transform. */
function unwrap(schema: z.core.$ZodType | undefined): Definition | undefined {
  const definition = schema?._zod.def as Definition | undefined;
  switch (definition?.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return unwrap(definition.innerType);
    case 'pipe':
      return unwrap(definition.in);
    default:
      return definition;
  }
}

/** Returns the definition of a property, an item or a value. */
function child(definition: Definition | undefined, key: PropertyKey): Definition | undefined {
  switch (definition?.type) {
    case 'object':
      return unwrap(definition.shape[String(key)]);
    case 'array':
      return unwrap(definition.element);
    case 'record':
      return unwrap(definition.valueType);
    default:
      return undefined;
  }
}

/** Lists the properties of the object at a path of a schema; none if the schema does not tell. */
export function knownProperties(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const found = path.reduce(child, unwrap(schema));
  return found?.type === 'object' ? Object.keys(found.shape) : [];
}
