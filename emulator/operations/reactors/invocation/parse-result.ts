import { isObject, type Json } from '../../../../src/contract/json.js';
import { runtimeProblem } from './failure.js';

/** The return value of a reactor; service-api.md, "Reactor code contract". */
interface ReactorOutput {
  raw?: Json;
  tokenize?: Json;
}

/**
 * Validates the return value of a reactor. Undefined and null are `{}`; a field that is null is absent.
 * @throws ProblemError 500 when the value is not an object
 */
export function parseResult(value: Json | undefined): ReactorOutput {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) {
    throw runtimeProblem('The reactor must return an object with `raw`, `tokenize`, or both.');
  }
  const { raw, tokenize } = value;
  return {
    ...(raw !== undefined && raw !== null && { raw }),
    ...(tokenize !== undefined && tokenize !== null && { tokenize }),
  };
}
