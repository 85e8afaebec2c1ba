import { LIMITS } from '../../../src/contract/limits.js';
import { createTokenBody, encrypted } from '../../../src/contract/schemas/tokens.js';
import { type FieldErrors, fieldErrors, MAX_FIELD_ERRORS } from '../../../src/contract/validation.js';
import { type Json, RequestBudget } from '../../expressions/index.js';
import { forEachYielding } from '../../lib/turns.js';
import { ProblemError, problem, validationProblem } from '../../problems/problem.js';
import type { Call, Context, Handler } from '../context.js';
import { MAX_IGNORED, parseBody } from '../lenient-input.js';
import { createTokens, serializeInserted } from '../tokens/create.js';
import type { TokenServices } from '../tokens/delete.js';
import { type NewToken, prepareToken } from '../tokens/prepare-token.js';
import { IdsTakenError } from '../tokens/token-ids.js';

const MAX_TOKENS = 10_000;

type TokenizeServices = TokenServices & Pick<Context, 'options'>;

/**
 * POST /tokenize (decisions.md, "Search and tokenize"). A primitive becomes a token and is replaced by its id; an object
 * with `type` and `data`, or with `token_intent_id`, is a create request and is replaced by the token object.
 */
export const tokenize: Handler<'tokenize'> = async ({ body }, call, context) => ({
  status: 200,
  body: await tokenizePayload(body as Json, '', call, context),
});

/** Creates all tokens in a payload, or none. @param path prefix of the paths in errors; empty for a body */
export async function tokenizePayload(payload: Json, path: string, call: Call, services: TokenizeServices) {
  const budget = new RequestBudget(services.clock.now(), call.tenant.id);
  const parts = new PayloadParts();
  const fill = parts.visit(payload, path);
  const tokens = await prepareParts(parts, call, services, budget);
  const inserted = await createTokens(tokens, call, services).catch((error: unknown) => {
    throw error instanceof IdsTakenError ? withPaths(error, parts) : error;
  });
  const results: (Json & { id: string })[] = [];
  await forEachYielding(inserted, async (result) => {
    const token = await serializeInserted(result, call, services, budget);
    results.push(token as unknown as Json & { id: string });
  });
  return fill((index) => {
    const result = results[index];
    if (result === undefined) throw new Error('A token was not inserted.');
    return result;
  });
}

/** Adds the paths of the parts whose ids are taken, so that a client knows which to leave out. */
function withPaths({ message, indexes }: IdsTakenError, { requests }: PayloadParts): ProblemError {
  const errors: FieldErrors = {};
  for (const index of indexes.slice(0, MAX_FIELD_ERRORS))
    errors[joinPath(requests[index]?.path ?? '', 'id')] = ['is taken'];
  return problem('idTaken', message, errors);
}

/** Rebuilds the payload with the results, which `result` returns by index. */
type Fill = (result: (index: number) => Json & { id: string }) => Json;

/** Validates and prepares the tokens of all parts, one after the other. @throws ProblemError 400 with all invalid parts */
async function prepareParts(
  { requests, errors }: PayloadParts,
  call: Call,
  services: TokenizeServices,
  budget: RequestBudget,
): Promise<NewToken[]> {
  const tokens: NewToken[] = [];
  let isUsedUp = false;
  let levels = 0;
  await forEachYielding(requests, async ({ body, path }) => {
    // Every other part would fail for the same reason.
    if (isUsedUp) return;
    const { result: parsed, ignored = [] } = parseBody(createTokenBody, body, services.options.lenient);
    noteIgnored(ignored, path, call);
    if (!parsed.success)
      return addErrors(errors, prefixPaths(path, fieldErrors(parsed.error, [], createTokenBody)));
    for (const container of parsed.data.containers ?? []) levels += container.split('/').length - 1;
    const rule = `too many levels: those of all tokens may have ${LIMITS.containerLevels} together`;
    if (levels > LIMITS.containerLevels) throw validationProblem({ containers: [rule] });
    try {
      tokens.push(await prepareToken(parsed.data, call, services, budget));
    } catch (error) {
      if (!(error instanceof ProblemError && error.errors)) throw error;
      addErrors(errors, prefixPaths(path, error.errors));
      isUsedUp = budget.isUsedUp;
    }
  });
  if (Object.keys(errors).length > 0) throw validationProblem(errors);
  return tokens;
}

function noteIgnored(ignored: readonly string[], path: string, call: Call): void {
  if (ignored.length === 0) return;
  const paths = ignored.map((one) => joinPath(path, one));
  call.ignored = [...(call.ignored ?? []), ...paths].slice(0, MAX_IGNORED);
}

/** Other objects with `encrypted` hold data of their own. */
const isCreateRequest = (value: Record<string, unknown>): boolean =>
  'token_intent_id' in value ||
  ('type' in value && ('data' in value || encrypted.safeParse(value.encrypted).success));

/** Walks a payload and finds its parts. Errors are collected by property path. */
class PayloadParts {
  readonly requests: { body: unknown; path: string }[] = [];
  readonly errors: FieldErrors = {};

  visit(value: Json, path: string): Fill {
    if (value === null) {
      addErrors(this.errors, { [path || 'body']: ['must not be null'] });
      return () => null;
    }
    if (typeof value !== 'object') {
      const index = this.#add({ type: 'token', data: value }, path);
      return (result) => result(index).id;
    }
    if (Array.isArray(value)) {
      const items = value.map((item, index) => this.visit(item, joinPath(path, String(index))));
      return (result) => items.map((fill) => fill(result));
    }
    if (isCreateRequest(value)) {
      const index = this.#add(value, path);
      return (result) => result(index);
    }
    const entries = Object.entries(value).map(
      ([key, item]) => [key, this.visit(item, joinPath(path, key))] as const,
    );
    return (result) => Object.fromEntries(entries.map(([key, fill]) => [key, fill(result)]));
  }

  #add(body: unknown, path: string): number {
    if (this.requests.length === MAX_TOKENS)
      throw validationProblem({ body: [`may create at most ${MAX_TOKENS} tokens`] });
    return this.requests.push({ body, path }) - 1;
  }
}

function addErrors(errors: FieldErrors, added: FieldErrors): void {
  Object.assign(errors, added);
  if (Object.keys(errors).length >= MAX_FIELD_ERRORS) throw validationProblem(errors);
}

const joinPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function prefixPaths(path: string, errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([key, messages]) => [joinPath(path, key), messages]));
}
