import * as z from 'zod';
import type { Client } from '../../client/client.js';
import { ServiceError } from '../../client/errors.js';
import { buildRequest, type RawRequest } from '../../client/request.js';
import { describeLogGap } from '../../contract/audit-log.js';
import { headerNames } from '../../contract/headers.js';
import { isObject, mapLeaves } from '../../contract/json.js';
import { type OperationId, operationRow, pathParametersOf } from '../../contract/operations.js';
import { type FieldErrors, fieldErrors } from '../../contract/validation.js';
import { CliError } from '../lib/errors.js';
import { PLACEHOLDER, rejectPlaceholder } from '../lib/placeholder.js';
import type { Arguments, OperationTool } from './operation-tools.js';
import { isMasked, redactAnswer } from './redact-answer.js';

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

function parse<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidInput(fieldErrors(result.error, [], schema));
}

const invalidInput = (errors: FieldErrors): CliError =>
  new CliError('invalid', 'The arguments of the tool are not valid.', { errors });

/** Builds the request of a tool call. The contract's schemas check the arguments: what a tool leaves out of a body is refused. */
function toolRequest({ operation, query: querySchema, body }: OperationTool, input: Arguments): RawRequest {
  const row = operationRow(operation);
  const names = pathParametersOf(row.path);
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

/** Calls an operation for an agent, without token data in answer and errors; with a `notice` if log entries may be gone. */
export async function callOperation(client: Client, tool: OperationTool, input: Arguments): Promise<unknown> {
  try {
    const { status, headers, body } = await client.request(toolRequest(tool, input));
    const { logCompleteFrom } = headerNames((await client.connection()).headerPrefix);
    const completeFrom = headers[logCompleteFrom.toLowerCase()];
    const answer = redactAnswer(tool.operation, body);
    return {
      status,
      body: removeKnownData(answer, tool.agentWrites ? [input] : [input, body]),
      ...(completeFrom !== undefined && { notice: describeLogGap(completeFrom) }),
    };
  } catch (error) {
    throw error instanceof ServiceError ? withoutData(error, input) : error;
  }
}

/** The emulator never names values in a problem; another service may. */
function withoutData({ status, problem, traceId, retryAfter }: ServiceError, input: Arguments): ServiceError {
  return new ServiceError(status, removeKnownData(problem, [input]), traceId, retryAfter);
}

/** Shorter values occur in any text: `2031`, `true`. */
const MINIMUM = 6;

function* primitivesOf(document: unknown): Iterable<string> {
  if (typeof document !== 'object' || document === null) yield String(document);
  else for (const part of Object.values(document)) yield* primitivesOf(part);
}

/** Yields the values in the `data` of every token and every create request in a document. */
function* dataOf(document: unknown): Iterable<string> {
  if (typeof document !== 'object' || document === null) return;
  for (const [name, part] of Object.entries(document)) {
    // The `data` of a page is the list of its items.
    if (name === 'data' && !('pagination' in document)) yield* primitivesOf(part);
    else yield* dataOf(part);
  }
}

const replaceIn = (document: unknown, values: readonly string[]): unknown =>
  mapLeaves(document, (leaf) => {
    if (typeof leaf !== 'string') return values.includes(String(leaf)) ? PLACEHOLDER : leaf;
    return values.reduce((text, value) => text.replaceAll(value, PLACEHOLDER), leaf);
  });

/**
 * Replaces token data wherever it appears in an answer, such as in metadata or an id, if the data is in the call or its response.
 * @param known the arguments of the call; the response as the service sent it only if the agent cannot write, because it could
 *   write guesses into metadata and see which of them are replaced
 */
function removeKnownData<Answer>(answer: Answer, known: readonly unknown[]): Answer {
  const values = new Set([...dataOf(known)].filter((value) => value.length >= MINIMUM && !isMasked(value)));
  // The longest first: a value may contain another one.
  const ordered = [...values].sort((a, b) => b.length - a.length);
  // The type stays, except that of numbers, which become the placeholder.
  return ordered.length === 0 ? answer : (replaceIn(answer, ordered) as Answer);
}

/**
 * Turns deduplication off in a request body, whatever the tenant's setting. A duplicate would be answered with the existing token,
 * and tell an agent that its guess is right.
 */
function withoutDeduplication(id: OperationId, body: unknown): unknown {
  const storesData = id === 'tokens.create' || id === 'tokens.update';
  return storesData && isObject(body) ? { ...body, deduplicate_token: false } : body;
}
