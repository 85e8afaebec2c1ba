import * as z from 'zod';
import { type FieldErrors, fieldErrors } from '../../contract/validation.js';
import { findNearest } from '../lib/nearest.js';

/** Removes what surrounds the schema of a value: optional, nullable, a default, a transform. */
function unwrapSchema(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrapSchema(schema.unwrap());
  return schema instanceof z.ZodPipe ? unwrapSchema(schema.in) : schema;
}

/** Returns the schema of a property, an item or a value. */
function childSchema(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  if (schema instanceof z.ZodArray) return schema.element;
  return schema instanceof z.ZodRecord ? schema.valueType : undefined;
}

/** Lists the properties of the object at a path of a schema. */
function knownProperties(schema: unknown, path: readonly PropertyKey[]): string[] {
  const found = path.reduce((one, key) => unwrapSchema(childSchema(one, key)), unwrapSchema(schema));
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

function describeUnknown(property: string, known: readonly string[]): string {
  const nearest = findNearest(property, known);
  const suggestion = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return `is not a known property${suggestion || '.'} Known: ${known.join(', ')}`;
}

/** Converts a failed parse to errors by property path. An unknown property names the known ones and the nearest. */
export function describeErrors(error: z.ZodError, schema: z.ZodType): FieldErrors {
  const errors = fieldErrors(error);
  for (const issue of error.issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const known = knownProperties(schema, issue.path);
    for (const key of issue.keys)
      errors[[...issue.path, key].map(String).join('.')] = [describeUnknown(key, known)];
  }
  return errors;
}
