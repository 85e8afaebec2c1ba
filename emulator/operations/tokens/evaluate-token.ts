import { createHmac } from 'node:crypto';
import { base58 } from '@scure/base';
import { tokenDataSchemas } from '../../../src/contract/schemas/token-data.js';
import type { TokenType } from '../../../src/contract/token-types.js';
import { fieldErrors } from '../../../src/contract/validation.js';
import { type Json, type RequestBudget, renderText, stringify } from '../../expressions/index.js';
import { andThen, type MaybePromise } from '../../lib/maybe-promise.js';
import type { TenantRecord, TokenRecord } from '../../store/records.js';
import type { FieldChecks } from './field-checks.js';

interface TokenExpressions {
  type: TokenType;
  data: unknown;
  mask?: unknown;
  metadata?: Record<string, string>;
  search_indexes?: string[];
  fingerprint_expression?: string;
}

interface EvaluatedToken {
  /** The masked data; absent without a mask, or when the value of the mask is missing. */
  masked?: Json;
  stored: Pick<TokenRecord, 'search_values' | 'fingerprint'>;
}

/** Validates data against the schema of its type, which may convert it: an integer cvc becomes a string. */
export function parseData(type: TokenType, data: unknown, checks: FieldChecks): Json {
  const result = tokenDataSchemas[type].safeParse(data);
  if (result.success) return result.data as Json;
  checks.addAll(fieldErrors(result.error, ['data'], tokenDataSchemas[type]));
  return null;
}

/** Evaluates mask, search indexes and fingerprint, so that an invalid one is rejected now instead of failing on a read. */
export function evaluateToken(
  token: TokenExpressions,
  tenant: TenantRecord,
  budget: RequestBudget,
  checks: FieldChecks,
): MaybePromise<EvaluatedToken> {
  const stored: EvaluatedToken['stored'] = {};
  const mask = checks.evaluate('mask', () => maskData(token.mask, token.data, budget));
  return andThen(mask, (masked) =>
    andThen(evaluateSearchIndexes(token, budget, checks), (values) => {
      if (values.length > 0) stored.search_values = values;
      return andThen(evaluateFingerprint(token, tenant, budget, checks), (fingerprint) => {
        if (fingerprint !== undefined) stored.fingerprint = fingerprint;
        return { stored, ...(masked !== undefined && { masked }) };
      });
    }),
  );
}

/** Evaluates a mask over data; undefined without a mask. @throws ExpressionError */
export function maskData(mask: unknown, data: unknown, budget: RequestBudget) {
  return mask === undefined ? undefined : budget.evaluate(mask as Json, { data }, 'mask');
}

/** Evaluates the search indexes to the values that find the token. An index without a value is left out. */
export function evaluateSearchIndexes(
  { search_indexes = [], data }: Pick<TokenRecord, 'search_indexes' | 'data'>,
  budget: RequestBudget,
  checks: FieldChecks,
): MaybePromise<string[]> {
  if (search_indexes.length === 0) return [];
  const evaluated = checks.evaluate('search_indexes', () =>
    budget.evaluate(search_indexes, { data }, 'search_indexes'),
  );
  return andThen(evaluated, (values) => {
    const texts = Array.isArray(values) ? values.map(renderText) : [];
    return [...new Set(texts.filter((text) => text !== ''))];
  });
}

export function evaluateFingerprint(
  token: Omit<TokenExpressions, 'mask' | 'search_indexes'>,
  tenant: TenantRecord,
  budget: RequestBudget,
  checks: FieldChecks,
): MaybePromise<string | undefined> {
  return andThen(evaluateFingerprintExpression(token, budget, checks), (text) =>
    text === undefined ? undefined : computeFingerprint(tenant.fingerprint_key, tenant.id, token.type, text),
  );
}

/** Metadata of 5 MB would make the evaluation of any expression a long one. A name in brackets may be the value of another. */
const MAY_READ_METADATA = /metadata|\[/;

function evaluateFingerprintExpression(
  token: Omit<TokenExpressions, 'mask' | 'search_indexes'>,
  budget: RequestBudget,
  checks: FieldChecks,
): MaybePromise<string | undefined> {
  const { fingerprint_expression: expression, data, metadata = {} } = token;
  if (expression === undefined) return undefined;
  const path = 'fingerprint_expression';
  const scope = { data, metadata: MAY_READ_METADATA.test(expression) ? metadata : {} };
  const result = checks.evaluate(path, () =>
    andThen(budget.evaluate(expression, scope, path), (value) => stringify(value ?? undefined)),
  );
  return andThen(result, (value) => {
    // Without a value, all such tokens would have the same fingerprint and count as duplicates.
    if (value === undefined && !(path in checks.errors)) checks.add(path, 'has no value for this data');
    return value;
  });
}

/** An HMAC over tenant, type and evaluated expression (decisions.md, "Fingerprints and deduplication"). */
export function computeFingerprint(key: string, tenantId: string, type: TokenType, value: string): string {
  const hmac = createHmac('sha256', Buffer.from(key, 'base64'));
  return base58.encode(hmac.update(JSON.stringify([tenantId, type, value])).digest());
}
