import type * as z from 'zod';
import { isObject } from '../../src/contract/json.js';
import { type OperationId, operationRow } from '../../src/contract/operations.js';
import { operationSchemas } from '../../src/contract/schemas/index.js';
import { type FieldErrors, fieldErrors } from '../../src/contract/validation.js';
import { type ProblemError, problem, validationProblem } from '../problems/problem.js';
import { adapterOf, type LenientInput, parseBody } from './lenient-input.js';

interface ValidInput {
  query: unknown;
  body: unknown;
  /** Paths of the properties of the body that `--lenient` ignores; absent for none. */
  ignored?: string[];
}

/** Validates query and body against the contract and fills in the defaults. @throws ProblemError 400 */
export type Validator = (query: unknown, body: unknown, resource?: unknown) => ValidInput;

export function createValidator(id: OperationId, { lenient }: { lenient: boolean }): Validator {
  const { queryMaps } = operationRow(id);
  const { query: querySchema, body: strictBody, lenientBody = strictBody } = operationSchemas(id);
  const bodySchema = lenient ? lenientBody : strictBody;
  return (query, body, resource) => {
    const parameters = queryMaps ? collectMaps(query as Record<string, unknown>, queryMaps) : query;
    const queryResult = querySchema.safeParse(parameters);
    const { result: bodyResult, ignored } = bodySchema ? parseBody(bodySchema, body, lenient) : {};
    if (queryResult.success && bodyResult?.success !== false) {
      if (queryMaps) restoreProto(queryResult.data, parameters as Record<string, unknown>, queryMaps);
      return { query: queryResult.data, body: bodyResult?.data, ...(ignored && { ignored }) };
    }
    const refusal = validationProblem({
      ...errorsOf(queryResult, ['query'], querySchema),
      ...errorsOf(bodyResult, [], bodySchema),
    });
    throw lenient ? refusal : withHint(refusal, id, { query, body }, resource);
  };
}

/** Says so in the error of a request if an emulator with `--lenient` would accept it. */
function withHint(refusal: ProblemError, id: OperationId, input: LenientInput, resource: unknown) {
  try {
    const { query, body } = adapterOf(id)(input, resource);
    createValidator(id, { lenient: true })(query, body);
  } catch {
    return refusal;
  }
  const hint = 'An emulator that is started with --lenient accepts it.';
  return problem('validation', `${refusal.message} ${hint}`, refusal.errors);
}

function errorsOf(
  result: z.ZodSafeParseResult<unknown> | undefined,
  root: readonly string[],
  schema: z.ZodType | undefined,
): FieldErrors {
  return result?.error ? fieldErrors(result.error, root, schema) : {};
}

/** Restores the key `__proto__` of query maps, which zod drops from a record: without it, its filter would be lost. */
function restoreProto(valid: unknown, given: Readonly<Record<string, unknown>>, names: readonly string[]) {
  for (const name of names) {
    const map = given[name];
    if (!isObject(map) || !Object.hasOwn(map, PROTO)) continue;
    const validMap = (valid as Record<string, object>)[name] ?? {};
    Object.defineProperty(validMap, PROTO, { value: String(map[PROTO]), enumerable: true });
  }
}

const PROTO = '__proto__';

/** Turns `metadata.a=1&metadata[b]=2` into `metadata: { a: '1', b: '2' }`. Of a repeated key the first one counts. */
function collectMaps(query: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  // Without prototypes, because parameters may have any name.
  const plain: Record<string, unknown> = Object.create(null);
  const maps: Record<string, Record<string, unknown>> = {};
  for (const [parameter, value] of Object.entries(query)) {
    const [, name = '', dotted, bracketed = ''] = /^(\w+)(?:\.(.*)|\[(.*)\])$/s.exec(parameter) ?? [];
    if (!names.includes(name)) {
      plain[parameter] = value;
      continue;
    }
    const map = maps[name] ?? Object.create(null);
    const key = dotted ?? bracketed;
    if (!Object.hasOwn(map, key)) map[key] = Array.isArray(value) ? value[0] : value;
    maps[name] = map;
  }
  // A parameter with the bare name replaces the map, and the schema rejects it.
  return Object.assign(Object.create(null), maps, plain);
}
