import type * as z from 'zod';
import type { OperationId } from '../../src/contract/operations.js';
import { operationRow } from '../../src/contract/operations.js';
import { operationSchemas } from '../../src/contract/schemas/index.js';
import { type FieldErrors, fieldErrors } from '../../src/contract/validation.js';
import { validationProblem } from '../problems/problem.js';

interface Checked {
  query: unknown;
  body: unknown;
}

/** Checks query and body against the contract and fills in the defaults. Built once per operation. */
export type Validator = (query: unknown, body: unknown) => Checked;

function errorsOf(result: z.ZodSafeParseResult<unknown> | undefined, root: readonly string[]): FieldErrors {
  return result?.error ? fieldErrors(result.error, root) : {};
}

/** `metadata.a=1&metadata.b=2` becomes `metadata: { a: '1', b: '2' }`; of a repeated key the first counts. */
function gathered(query: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  // Without prototypes: parameters may have any name.
  const plain: Record<string, unknown> = Object.create(null);
  const maps: Record<string, Record<string, unknown>> = {};
  for (const [parameter, value] of Object.entries(query)) {
    const name = names.find((map) => parameter.startsWith(`${map}.`));
    if (name === undefined) {
      plain[parameter] = value;
      continue;
    }
    const map = maps[name] ?? Object.create(null);
    map[parameter.slice(name.length + 1)] = Array.isArray(value) ? value[0] : value;
    maps[name] = map;
  }
  // A parameter of the bare name is refused wherever it stands.
  return Object.assign(Object.create(null), maps, plain);
}

/** @throws ProblemError 400 with a message per property path, from the validator it returns. */
export function createValidator(id: OperationId): Validator {
  const { queryMaps } = operationRow(id);
  const schemas = operationSchemas(id);
  return (query, body) => {
    const asked = queryMaps ? gathered(query as Record<string, unknown>, queryMaps) : query;
    const [askedFor, sent] = [schemas.query.safeParse(asked), schemas.body?.safeParse(body)];
    if (askedFor.success && sent?.success !== false) return { query: askedFor.data, body: sent?.data };
    throw validationProblem({ ...errorsOf(askedFor, ['query']), ...errorsOf(sent, []) });
  };
}
