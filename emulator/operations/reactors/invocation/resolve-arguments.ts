import { isObject, type Json } from '../../../../src/contract/json.js';
import { LIMITS } from '../../../../src/contract/limits.js';
import { problem, validationProblem } from '../../../problems/problem.js';
import type { Call } from '../../call.js';
import type { Context } from '../../context.js';
import { detokenizePayload } from '../../tokenize/detokenize.js';

/**
 * The arguments with their expressions replaced by raw token data; without any, `{}`. Every token and every permission is
 * checked before the code runs, and what comes out before it is handed on (spec, Detokenization rules 1 to 4).
 *
 * @throws ProblemError 400 for an expression or token that does not work out, 403 without `token:use` on one of the
 * containers, 413 when the arguments grow past the invocation payload
 */
export async function resolveArguments(args: unknown, call: Call, context: Context): Promise<Json> {
  if (args === undefined || args === null) return {};
  const replaced = await detokenizePayload(args as Json, 'args', call, context);
  if (!isObject(replaced)) {
    throw validationProblem({ args: ['must be an object, or an expression that gives one'] });
  }
  if (Buffer.byteLength(JSON.stringify(replaced)) > LIMITS.bodyBytes) {
    throw problem(
      'bodyTooLarge',
      `The arguments must be at most ${LIMITS.bodyBytes} bytes when detokenized.`,
    );
  }
  return replaced;
}
