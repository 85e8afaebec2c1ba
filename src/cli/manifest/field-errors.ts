import type * as z from 'zod';
import { knownProperties } from '../../contract/known-properties.js';
import { UNKNOWN_PERMISSION } from '../../contract/schemas/applications.js';
import { type FieldErrors, fieldErrors } from '../../contract/validation.js';
import { findNearest } from '../lib/nearest.js';

function describeUnknown(property: string, known: readonly string[]): string {
  const nearest = findNearest(property, known);
  const suggestion = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return `is not a known property${suggestion || '.'} Known: ${known.join(', ')}`;
}

const toName = (path: readonly PropertyKey[]): string => path.map(String).join('.');

/**
 * Converts a failed parse to errors by property path. An unknown property names the known ones and the nearest, an unknown
 * permission the command that lists them.
 */
export function describeErrors(error: z.ZodError, schema: z.ZodType): FieldErrors {
  const errors = fieldErrors(error);
  for (const issue of error.issues) {
    if (issue.message === UNKNOWN_PERMISSION)
      errors[toName(issue.path)] = ['must be a permission; list them: tokenctl permission list'];
    if (issue.code !== 'unrecognized_keys') continue;
    const known = knownProperties(schema, issue.path);
    for (const key of issue.keys) errors[toName([...issue.path, key])] = [describeUnknown(key, known)];
  }
  return errors;
}
