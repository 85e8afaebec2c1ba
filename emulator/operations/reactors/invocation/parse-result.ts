import { isObject, type Json } from '../../../../src/contract/json.js';
import { runtimeProblem } from './failure.js';

/** What a reactor's code returned; spec, Reactor code contract. */
export interface ReactorResult {
  raw?: Json;
  tokenize?: Json;
}

/**
 * Nothing at all is `{}`; null counts as absent, as the specification has it for optional fields.
 * @throws ProblemError 500 when it is no object
 */
export function parseResult(value: Json | undefined): ReactorResult {
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
