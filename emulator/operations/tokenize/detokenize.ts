import {
  type Detokenization,
  type DetokenizedToken,
  ExpressionError,
  type Json,
  parseDetokenization,
} from '../../expressions/index.js';
import { validationProblem } from '../../problems/problem.js';
import type { Stored, TokenRecord } from '../../store/records.js';
import type { Call } from '../call.js';
import type { Handler } from '../handler.js';
import { isExpired } from '../token-expiry.js';
import { requirePermissionOnAll } from '../tokens/container-permissions.js';
import { type AccessServices, recordTokenAccess } from '../tokens/record-access.js';
import { serializeToken } from '../tokens/serialize.js';

/** POST /detokenize (decisions.md, "Search and tokenize"). Replaces the expressions of any JSON. */
export const detokenize: Handler<'detokenize'> = async ({ body }, call, context) => {
  const result = await detokenizePayload(body as Json, '', call, context);
  return { status: 200, body: result ?? null };
};

/**
 * Replaces the detokenization expressions of a payload with raw token data (service-api.md, POST /reactors/{id}/react).
 * All tokens are checked before any is used.
 * @param path prefix of the paths in errors: `args`, or empty for a request body
 * @throws ProblemError 400 for an invalid expression, more than 100 tokens, or an unknown token; 403 without `token:use`
 *   on each container of each token
 */
export async function detokenizePayload(
  payload: Json,
  path: string,
  call: Call,
  services: AccessServices,
): Promise<Json | undefined> {
  const now = services.clock.now();
  const parsed = rethrowAsProblem(() => parseDetokenization(payload, path, now));
  const tokens = await loadTokens(parsed, now, call, services);
  for (const { containers } of tokens) requirePermissionOnAll('token:use', containers, call);
  const byId = new Map(tokens.map((token) => [token.id, revealToken(token, now, call)]));
  const result = rethrowAsProblem(() => parsed.replace(byId));
  recordTokenAccess('use', tokens, call, services);
  return result;
}

function rethrowAsProblem<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExpressionError) throw validationProblem(error.errors);
    throw error;
  }
}

async function loadTokens(
  { references }: Detokenization,
  now: number,
  call: Call,
  { store }: AccessServices,
): Promise<Stored<TokenRecord>[]> {
  const errors: Record<string, string[]> = {};
  const found = await Promise.all(
    [...references].map(async ([id, path]) => {
      const token = await store.get('tokens', call.tenant.id, id);
      if (token && !isExpired(token, now)) return [token];
      errors[path] = ['refers to a token that does not exist'];
      return [];
    }),
  );
  if (Object.keys(errors).length > 0) throw validationProblem(errors);
  return found.flat();
}

function revealToken(token: TokenRecord, now: number, call: Call): DetokenizedToken {
  return serializeToken(token, 'reveal', now, call) as unknown as DetokenizedToken;
}
