import type * as z from 'zod';
import { fieldErrors } from '../../src/contract/validation.js';
import { validationProblem } from '../problems/problem.js';

/** What a control endpoint was given, checked. */
export function parsed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  root: string[] = [],
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw validationProblem(fieldErrors(result.error, root));
  return result.data;
}

export const WITH_BODY = { config: { takesBody: true } };
