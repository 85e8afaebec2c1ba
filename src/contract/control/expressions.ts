import * as z from 'zod';
import { jsonValue, stringMap } from '../schemas/common.js';

/** Expressions as in the mask of a token, and the data that they read. */
export const expressionSample = z.strictObject({
  /** A text, or an object, array or primitive whose strings are evaluated. */
  expression: jsonValue,
  data: jsonValue,
  /** Makes `metadata` a variable, as in a fingerprint expression. */
  metadata: stringMap.optional(),
});

/** Without `result` if the expression has no value for the data. */
export const expressionResult = z.strictObject({ result: z.unknown().optional() });
