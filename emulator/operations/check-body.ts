import { LIMITS } from '../../src/contract/limits.js';
import { findJsonFault, JSON_FAULT_MESSAGES } from '../lib/json-bounds.js';
import { type ProblemError, problem, validationProblem } from '../problems/problem.js';

/**
 * Checks a body that did not arrive over HTTP, but through `svc` or as the `tokenize` part of a reactor's result, as the
 * body of a request is checked (decisions.md, "Reactors").
 * @param name property path of the error
 * @throws ProblemError 400 for its nesting, number of values, names or numbers, 413 for its size
 */
export function checkBody(body: unknown, name = 'body'): void {
  const fault = findJsonFault(body);
  if (fault) throw validationProblem({ [name]: [JSON_FAULT_MESSAGES[fault]] });
  if (body !== undefined && isTooLarge(body)) throw bodyTooLarge(LIMITS.bodyBytes);
}

export function bodyTooLarge(limit: number): ProblemError {
  return problem('bodyTooLarge', `The body must be at most ${limit} bytes.`);
}

/** Whether a value, as JSON, is longer than a body may be. */
export function isTooLarge(body: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(body)) > LIMITS.bodyBytes;
}
