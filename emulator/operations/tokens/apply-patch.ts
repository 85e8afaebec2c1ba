import { LIMITS } from '../../../src/contract/limits.js';
import type { OperationRequest } from '../../../src/contract/schemas/index.js';
import type { Json, RequestBudget } from '../../expressions/index.js';
import { formatTimestamp } from '../../lib/timestamps.js';
import type { Stored, TokenRecord } from '../../store/records.js';
import type { Call } from '../context.js';
import { mergeField } from '../json-body.js';
import { evaluateFingerprint, evaluateToken, parseData } from './evaluate-token.js';
import { FieldChecks } from './field-checks.js';
import { cvcExpiry, parseExpirationField } from './lifetime.js';
import { defaultFingerprintExpression } from './prepare-token.js';

export type Patch = Omit<OperationRequest<'tokens.update'>['body'], 'encrypted'>;

interface PatchedToken {
  record: Stored<TokenRecord>;
  masked: Json | undefined;
  /** The fingerprint that no other live token may have; absent when the patch does not change it, or without deduplication. */
  uniqueFingerprint?: string;
}

/** Applies a patch to a token and evaluates its expressions again (decisions.md, "Merge patch"). @throws ProblemError 400 */
export async function applyPatch(
  token: Stored<TokenRecord>,
  patch: Patch,
  call: Call,
  budget: RequestBudget,
): Promise<PatchedToken> {
  const { now } = budget;
  const checks = new FieldChecks();
  const fields = patchFields(token, patch, checks, now);
  checks.assertValid();
  const deduplicate = patch.deduplicate_token ?? call.tenant.settings.deduplicate_tokens === 'true';
  const expression = fields.fingerprint_expression ?? defaultFingerprintExpression(call.tenant, deduplicate);
  const evaluable = { ...fields, ...(expression !== undefined && { fingerprint_expression: expression }) };
  const { masked, stored } = await evaluateToken(evaluable, call.tenant, budget, checks);
  checks.assertValid();
  const record = {
    ...evaluable,
    ...stored,
    modified_by: call.application.id,
    modified_at: formatTimestamp(now),
  };
  const { fingerprint } = record;
  const isNew =
    deduplicate &&
    fingerprint !== undefined &&
    fingerprint !== token.fingerprint &&
    fingerprint !== (await fingerprintBefore(token, call, budget));
  return { record, masked, ...(isNew && { uniqueFingerprint: fingerprint }) };
}

/** Evaluates the fingerprint without the patch. The stored one may be absent, or include a cvc that was removed. */
async function fingerprintBefore(token: TokenRecord, { tenant }: Call, budget: RequestBudget) {
  const expression = token.fingerprint_expression ?? defaultFingerprintExpression(tenant, true);
  const evaluable = { ...token, ...(expression !== undefined && { fingerprint_expression: expression }) };
  return evaluateFingerprint(evaluable, tenant, budget, new FieldChecks());
}

/** Merges data, mask and metadata, and replaces the other fields; null removes a value. */
function patchFields(token: Stored<TokenRecord>, patch: Patch, checks: FieldChecks, now: number) {
  const { mask, metadata, search_indexes, fingerprint_expression, expires_at, cvc_expires_at, ...fields } =
    token;
  const { search_values: _values, fingerprint: _fingerprint, ...rest } = fields;
  const data = parseData(token.type, patchField('data', token.data, patch.data), checks);
  const newMask = patchField('mask', mask, patch.mask);
  const newMetadata = patchField('metadata', metadata, patch.metadata);
  if (Object.keys(newMetadata ?? {}).length > LIMITS.metadataKeys)
    checks.add('metadata', `must have at most ${LIMITS.metadataKeys} keys`);
  const indexes = replaceField(search_indexes, patch.search_indexes);
  const expression = replaceField(fingerprint_expression, patch.fingerprint_expression);
  const expiry =
    typeof patch.expires_at === 'string' ? parseExpirationField(patch.expires_at, now, checks) : undefined;
  const expires = replaceField(expires_at, patch.expires_at === null ? null : expiry);
  return {
    ...rest,
    data,
    ...(newMask !== undefined && { mask: newMask }),
    ...(newMetadata !== undefined && { metadata: newMetadata as Record<string, string> }),
    ...(indexes && { search_indexes: indexes }),
    ...(expression !== undefined && { fingerprint_expression: expression }),
    ...(expires !== undefined && { expires_at: expires }),
    ...(patch.containers && { containers: [...new Set(patch.containers)] }),
    ...patchCvcExpiry({ type: token.type, data }, patch, cvc_expires_at, now),
  };
}

/** Applies RFC 7386 to one field of the token: undefined keeps it, null removes it. */
function patchField(name: keyof Patch, value: unknown, patch: unknown): Json | undefined {
  if (patch === undefined) return value as Json | undefined;
  return patch === null ? undefined : mergeField(name, value as Json | undefined, patch as Json);
}

function replaceField<T>(value: T | undefined, patch: T | null | undefined): T | undefined {
  return patch === undefined ? value : (patch ?? undefined);
}

/** A cvc expires one hour after it was last set. */
function patchCvcExpiry(
  token: Pick<TokenRecord, 'type' | 'data'>,
  patch: Patch,
  before: string | undefined,
  now: number,
) {
  const set = typeof patch.data === 'object' && patch.data !== null && 'cvc' in patch.data;
  const lifetime = cvcExpiry(token, now);
  return set || before === undefined || lifetime.cvc_expires_at === undefined
    ? lifetime
    : { cvc_expires_at: before };
}
