import * as z from 'zod';
import { buildRequest, type RawRequest } from '../../client/request.js';
import { operationRow } from '../../contract/operations.js';
import { type FieldErrors, fieldErrors } from '../../contract/validation.js';
import { CliError } from '../lib/errors.js';
import { rejectPlaceholder } from '../lib/placeholder.js';
import type { OperationTool } from './operation-tools.js';
import type { Arguments } from './tool.js';
import { withoutDeduplication } from './without-deduplication.js';

/** The values that a query can carry. */
const queryValues = z.record(
  z.string(),
  z.union(
    [z.string(), z.number(), z.array(z.string()), z.record(z.string(), z.string())],
    'must be a string, a number, a list of strings or an object of strings',
  ),
);

function errorsOf(schema: z.ZodType, value: unknown, root: readonly string[] = []): FieldErrors {
  const { error } = schema.safeParse(value);
  return error ? fieldErrors(error, root, schema) : {};
}

/** Parses a part of the input. @throws {CliError} with the messages by property */
function parse<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidInput(fieldErrors(result.error, [], schema));
}

const invalidInput = (errors: FieldErrors): CliError =>
  new CliError('invalid', 'The arguments of the tool are not valid.', { errors });

/**
 * Builds the request of a tool call. The contract's schemas check the arguments, so that what a tool leaves out of a body is
 * refused here.
 * @throws {CliError} with the messages by property
 */
export function toolRequest(
  { operation, query: querySchema, body }: OperationTool,
  input: Arguments,
): RawRequest {
  const row = operationRow(operation);
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pathValues = z.object(Object.fromEntries(names.map((name) => [name, z.string().min(1)])));
  const path = parse(pathValues, input);
  const rest = Object.entries(input).filter(([name]) => !names.includes(name) && !(body && name === 'body'));
  const query = parse(queryValues, Object.fromEntries(rest));
  const errors = {
    ...errorsOf(querySchema, query),
    ...(body && (input.body !== undefined || !row.optionalBody) && errorsOf(body, input.body, ['body'])),
  };
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
  rejectPlaceholder(input.body, 'body');
  return buildRequest(row, { path, query, body: withoutDeduplication(operation, input.body) });
}
