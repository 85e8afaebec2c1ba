import type * as z from 'zod';
import { knownProperties } from '../../contract/known-properties.js';
import { type FieldErrors, fieldErrors } from '../../contract/validation.js';
import { findNearest } from '../lib/nearest.js';

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
