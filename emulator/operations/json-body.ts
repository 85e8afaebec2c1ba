import { isObject } from '../../src/contract/json.js';
import { LIMITS } from '../../src/contract/limits.js';
import type { Json } from '../expressions/index.js';
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

const isTooLarge = (body: unknown): boolean => Buffer.byteLength(JSON.stringify(body)) > LIMITS.bodyBytes;

type StringMap = Record<string, string>;

/** Applies a merge patch to a field, which may become as large as in a body, however many patches follow. */
export function mergeField(
  name: string,
  target: StringMap | undefined,
  patch: Readonly<Record<string, string | null>>,
): StringMap;
export function mergeField(name: string, target: Json | undefined, patch: Json): Json;
export function mergeField(name: string, target: Json | undefined, patch: Json): Json {
  const merged = mergePatch(target, patch);
  const fault = findJsonFault(merged);
  if (fault) throw validationProblem({ [name]: [`with the patch, ${JSON_FAULT_MESSAGES[fault]}`] });
  if (!isTooLarge(merged)) return merged;
  throw validationProblem({ [name]: [`with the patch, must be at most ${LIMITS.bodyBytes} bytes of JSON`] });
}

/** JSON Merge Patch (RFC 7386, section 2), on copies. Packages change their arguments or stop at `constructor`. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch))
    if (value === null) result.delete(key);
    else result.set(key, mergePatch(result.get(key), value));
  return Object.fromEntries(result);
}
