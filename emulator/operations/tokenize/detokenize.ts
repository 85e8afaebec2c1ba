import { LIMITS } from '../../../src/contract/limits.js';
import { UNKNOWN_TOKEN } from '../../../src/contract/problems.js';
import type { FieldErrors } from '../../../src/contract/validation.js';
import {
  CONFIG_PREFIX,
  type DetokenizedToken,
  ExpressionError,
  INTENT_PREFIX,
  type Json,
  RequestBudget,
} from '../../expressions/index.js';
import { jsonLength } from '../../lib/json-bounds.js';
import { SMALL_BYTES } from '../../lib/turns.js';
import { validationProblem } from '../../problems/problem.js';
import { COSTS } from '../../services/admission.js';
import { audit } from '../../services/audit-log.js';
import type { TokenRecord } from '../../store/records.js';
import { requirePermissionOnAll } from '../authorize.js';
import type { Call, Handler } from '../context.js';
import { isExpired } from '../token-expiry.js';
import { asToken } from '../tokens/convert-token-intent.js';
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
 * @param configuration what expressions may read as `{{ config: NAME }}`
 * @throws ProblemError 400 for an invalid expression, more than 100 tokens, too much data, or an unknown token; 403 without `token:use`
 *   on each container of each token
 */
export async function detokenizePayload(
  payload: Json,
  path: string,
  call: Call,
  services: AccessServices,
  configuration: Readonly<Record<string, string>> = {},
): Promise<Json | undefined> {
  const now = services.clock.now();
  const budget = new RequestBudget(now, call.tenant.id);
  const references = (await rethrowAsProblem(() =>
    budget.run({ kind: 'references', value: payload, path }),
  )) as [id: string, path: string][];
  const isConfiguration = ([id]: (typeof references)[number]) => id.startsWith(CONFIG_PREFIX);
  const configured = references.filter(isConfiguration).map(([id, at]) => {
    const name = id.slice(CONFIG_PREFIX.length);
    if (Object.hasOwn(configuration, name)) return [id, { data: configuration[name] ?? '' }] as const;
    throw validationProblem({ [at]: ['must name a value of the configuration of the proxy'] });
  });
  const toTokens = references.filter((reference) => !isConfiguration(reference));
  const { records, length, areTooLong } = await loadTokens(toTokens, now, call, services);
  for (const record of records) requirePermissionOnAll('token:use', record, call);
  if (areTooLong) throw validationProblem({ [path || 'body']: [TOO_LONG] });
  if (length > SMALL_BYTES) await call.charge?.raise(length * COSTS.response);
  const tokens: Record<string, DetokenizedToken> = Object.fromEntries([
    ...configured,
    ...(await Promise.all(
      records.map(
        async (record) =>
          [
            record.reference,
            (await serializeToken(record, 'reveal', budget, call)) as unknown as DetokenizedToken,
          ] as const,
      ),
    )),
  ]);
  const result = await rethrowAsProblem(() =>
    budget.run({ kind: 'detokenize', value: payload, path, tokens }),
  );
  recordUse(records, call, services);
  return result;
}

/** Records the use of tokens and token intents. Only tokens count as active. */
function recordUse(records: readonly Referred[], call: Call, services: AccessServices): void {
  const intents = records.filter(isIntent);
  const used = { entity: 'token-intent', operation: 'use', transform: 'reveal' } as const;
  if (intents.length > 0)
    services.store.record(intents.map(({ id }) => audit(call, { ...used, id }, services)));
  const tokens = intents.length === 0 ? records : records.filter((record) => !isIntent(record));
  recordTokenAccess('use', tokens, 'reveal', call, services);
}

type Referred = TokenRecord & { reference: string };

const isIntent = ({ reference }: Referred): boolean => reference.startsWith(INTENT_PREFIX);

async function load(reference: string, { tenant }: Call, { store }: AccessServices) {
  if (!reference.startsWith(INTENT_PREFIX)) return store.get('tokens', tenant.id, reference);
  const id = reference.slice(INTENT_PREFIX.length).toLowerCase();
  const intent = await store.get('token-intents', tenant.id, id);
  return intent && asToken(intent);
}

const TOO_LONG = `may refer to tokens with at most ${LIMITS.detokenizedCharacters} characters of data together`;
const TOKENS_AT_ONCE = 8;

/** Evaluates expressions. @throws ProblemError 400 with the path of each that cannot be evaluated */
export async function rethrowAsProblem<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExpressionError) throw validationProblem(error.errors);
    throw error;
  }
}

/** Loads tokens until their data is too long. @throws ProblemError 400 with all references to unknown tokens before that */
async function loadTokens(
  references: readonly [id: string, path: string][],
  now: number,
  call: Call,
  services: AccessServices,
): Promise<{ records: Referred[]; length: number; areTooLong: boolean }> {
  const errors: FieldErrors = {};
  const records: Referred[] = [];
  let left: number = LIMITS.detokenizedCharacters;
  for (let i = 0; i < references.length && left >= 0; i += TOKENS_AT_ONCE) {
    const group = references.slice(i, i + TOKENS_AT_ONCE);
    const tokens = await Promise.all(group.map(([reference]) => load(reference, call, services)));
    for (const [index, [reference, path]] of group.entries()) {
      const token = tokens[index];
      if (!token || isExpired(token, now)) errors[path] = [UNKNOWN_TOKEN];
      else {
        records.push({ ...token, reference });
        left -= jsonLength(token.data, Math.max(0, left));
      }
    }
  }
  if (Object.keys(errors).length > 0) throw validationProblem(errors);
  return { records, length: LIMITS.detokenizedCharacters - left, areTooLong: left < 0 };
}
