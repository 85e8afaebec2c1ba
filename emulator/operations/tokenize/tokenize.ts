import { createToken } from '../../../src/contract/schemas/tokens.js';
import { type FieldErrors, fieldErrors, MAX_FIELD_ERRORS } from '../../../src/contract/validation.js';
import type { Json } from '../../expressions/index.js';
import { ProblemError, validationProblem } from '../../problems/problem.js';
import type { Call } from '../call.js';
import type { Handler } from '../handler.js';
import { createTokens, serializeInserted } from '../tokens/create.js';
import type { DeletionServices } from '../tokens/deletion-changes.js';
import { type NewToken, prepareToken } from '../tokens/prepare-token.js';

/** Maximum number of tokens that one request may create. */
const MAX_TOKENS = 10_000;

/**
 * POST /tokenize (decisions.md, "Search and tokenize"). A primitive becomes a token and is replaced by its id; an object
 * with `type` and `data` is a create request and is replaced by the token object.
 */
export const tokenize: Handler<'tokenize'> = async ({ body }, call, context) => ({
  status: 200,
  body: await tokenizePayload(body as Json, '', call, context),
});

/**
 * Tokenizes a payload: creates all tokens in it, or none.
 * @param path prefix of the paths in errors; empty for a request body
 * @throws ProblemError 400 with all invalid parts, 403 or 409
 */
export async function tokenizePayload(
  payload: Json,
  path: string,
  call: Call,
  services: DeletionServices,
): Promise<Json> {
  const tokenizer = new PayloadTokenizer(call, services);
  const fill = tokenizer.visit(payload, path);
  if (Object.keys(tokenizer.errors).length > 0) throw validationProblem(tokenizer.errors);
  const results = await createTokens(tokenizer.tokens, call, services);
  return fill((index) => {
    const inserted = results[index];
    if (inserted === undefined) throw new Error('A token was not inserted.');
    return serializeInserted(inserted, call, services) as unknown as Json & { id: string };
  });
}

/** Rebuilds the payload with the results, which `result` returns by index. */
type Fill = (result: (index: number) => Json & { id: string }) => Json;

/** Walks a payload and prepares its tokens. Errors are collected by property path. */
class PayloadTokenizer {
  readonly tokens: NewToken[] = [];
  readonly errors: FieldErrors = {};

  constructor(
    private readonly call: Call,
    private readonly services: DeletionServices,
  ) {}

  visit(value: Json, path: string): Fill {
    if (value === null) return this.#addErrors({ [path || 'body']: ['must not be null'] });
    if (typeof value !== 'object') return this.#primitive(value, path);
    if (Array.isArray(value)) {
      const items = value.map((item, index) => this.visit(item, joinPath(path, String(index))));
      return (result) => items.map((fill) => fill(result));
    }
    if ('type' in value && 'data' in value) return this.#request(value, path);
    const entries = Object.entries(value).map(
      ([key, item]) => [key, this.visit(item, joinPath(path, key))] as const,
    );
    return (result) => Object.fromEntries(entries.map(([key, fill]) => [key, fill(result)]));
  }

  #primitive(data: Json, path: string): Fill {
    const index = this.#prepare({ type: 'token', data }, path);
    return (result) => result(index).id;
  }

  #request(value: Json, path: string): Fill {
    const index = this.#prepare(value, path);
    return (result) => result(index);
  }

  #prepare(body: unknown, path: string): number {
    if (this.tokens.length === MAX_TOKENS)
      throw validationProblem({ body: [`may create at most ${MAX_TOKENS} tokens`] });
    const parsed = createToken.safeParse(body);
    if (!parsed.success) this.#addErrors(prefixPaths(path, fieldErrors(parsed.error)));
    else this.#check(() => this.tokens.push(prepareToken(parsed.data, this.call, this.services)), path);
    return this.tokens.length - 1;
  }

  #check(work: () => unknown, path: string): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ProblemError && error.errors)) throw error;
      this.#addErrors(prefixPaths(path, error.errors));
    }
  }

  #addErrors(errors: FieldErrors): Fill {
    Object.assign(this.errors, errors);
    if (Object.keys(this.errors).length >= MAX_FIELD_ERRORS) throw validationProblem(this.errors);
    return () => null;
  }
}

function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function prefixPaths(path: string, errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([key, messages]) => [joinPath(path, key), messages]));
}
