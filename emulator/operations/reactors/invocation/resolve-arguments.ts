import { isObject, type Json } from '../../../../src/contract/json.js';
import { LIMITS } from '../../../../src/contract/limits.js';
import { problem, validationProblem } from '../../../problems/problem.js';
import type { Call } from '../../call.js';
import type { Context } from '../../context.js';
import { detokenizePayload } from '../../tokenize/detokenize.js';
import type { AccessServices } from '../../tokens/record-access.js';

/**
 * Replaces the expressions in the arguments of a reactor by raw token data (service-api.md, "Detokenization"). All tokens
 * and permissions are checked first. With `--lenient`, they may be an array.
 * @returns `{}` without arguments
 * @throws ProblemError 400 for an invalid expression or unknown token, 403 without `token:use` on one of the containers,
 *   413 when the resolved arguments are too large
 */
export async function resolveArguments(
  args: unknown,
  call: Call,
  services: AccessServices & Pick<Context, 'options'>,
): Promise<Json> {
  if (args === undefined || args === null) return {};
  const replaced = await detokenizePayload(args as Json, 'args', call, services);
  if (!isObject(replaced) && !(services.options.lenient && Array.isArray(replaced))) {
    throw validationProblem({ args: ['must be an object, or an expression whose value is an object'] });
  }
  if (Buffer.byteLength(JSON.stringify(replaced)) > LIMITS.bodyBytes) {
    throw problem(
      'bodyTooLarge',
      `The arguments must be at most ${LIMITS.bodyBytes} bytes when detokenized.`,
    );
  }
  return replaced;
}
