import { LIMITS } from '../../../src/contract/limits.js';
import type { OperationRequest } from '../../../src/contract/schemas/index.js';
import { type Json, RequestBudget } from '../../expressions/index.js';
import { formatTimestamp } from '../../lib/timestamps.js';
import { audit } from '../../services/audit-log.js';
import { ConflictError } from '../../store/errors.js';
import type { Stored, TokenRecord } from '../../store/records.js';
import type { Call } from '../call.js';
import { changedFields } from '../changed-fields.js';
import type { Handler } from '../handler.js';
import { mergePatch } from '../merge-patch.js';
import { retryOnConflict } from '../retry-on-conflict.js';
import { requirePermissionOnAll, requirePermissionOnAny } from './container-permissions.js';
import { evaluateToken, parseData } from './evaluate-token.js';
import { FieldChecks } from './field-checks.js';
import { duplicateCondition } from './insert-tokens.js';
import { cvcExpiry, parseExpirationField, withoutExpiredData } from './lifetime.js';
import { defaultFingerprintExpression } from './prepare-token.js';
import { type AccessServices, recordTokenAccess } from './record-access.js';
import { serializeRedacted, serializeToken, toTokenObject } from './serialize.js';
import { scheduleExpiry } from './sweep.js';

type Patch = OperationRequest<'tokens.update'>['body'];

/** PATCH /tokens/{id}. The whole resulting token is validated before anything is stored. */
export const update: Handler<'tokens.update'> = ({ resource, body }, call, context) =>
  retryOnConflict('tokens', resource, context, async (stored) => {
    const now = context.clock.now();
    authorizeUpdate(stored, body, call);
    const budget = new RequestBudget(now);
    const token = withoutExpiredData(stored, now);
    const { record, masked, deduplicate } = await applyPatch(token, body, call, budget);
    const unless =
      deduplicate && record.fingerprint !== undefined
        ? { unless: duplicateCondition(record.fingerprint, now) }
        : {};
    const isShown = mayRead(stored, call) && mayRead(record, call);
    const entry = audit(
      call,
      {
        entity: 'token',
        operation: 'update',
        id: record.id,
        transform: isShown ? 'mask' : 'redact',
        changed: changedFields(stored, record),
      },
      context,
    );
    const stale = isMoved(stored, record)
      ? await context.idempotency.discardForTokens(call.tenant.id, [record.id])
      : [];
    try {
      await context.store.commit([{ replace: 'tokens', record, ...unless }, ...stale, entry]);
    } catch (error) {
      if (!isDuplicateConflict(error)) throw error;
      const original = await context.store.get('tokens', call.tenant.id, error.id);
      // The duplicate was deleted concurrently: retry, as after any conflict.
      if (original === undefined) throw new ConflictError('revision', 'tokens', record.id);
      return { status: 200, body: await serializeOriginal(original, call, context, budget) };
    }
    scheduleExpiry(record, context);
    return { status: 200, body: toTokenObject(record, isShown ? masked : undefined, call) };
  });

/**
 * Whether the caller may read the token with its data masked or revealed. Otherwise `token:update` alone would read any
 * token, through a mask of its own (decisions.md, "Merge patch").
 */
function mayRead({ containers }: Pick<TokenRecord, 'containers'>, call: Call): boolean {
  const transform = call.access.transform('token:read', containers);
  return transform === 'mask' || transform === 'reveal';
}

/** Whether the patch changes containers: responses stored before were given under other access controls. */
function isMoved(before: TokenRecord, after: TokenRecord): boolean {
  const containers = new Set(before.containers);
  return (
    after.containers.length !== containers.size || !after.containers.every((path) => containers.has(path))
  );
}

/** Requires `token:update`, and on the old and the new containers if they change. */
function authorizeUpdate({ containers }: TokenRecord, patch: Patch, call: Call): void {
  requirePermissionOnAny('token:update', containers, call);
  if (patch.containers) requirePermissionOnAll('token:update', [...containers, ...patch.containers], call);
}

/** @throws ProblemError 400 with all errors of the resulting token */
async function applyPatch(token: Stored<TokenRecord>, patch: Patch, call: Call, budget: RequestBudget) {
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
  return { record, masked, deduplicate };
}

/** Merges data, mask and metadata, and replaces the other fields; null removes a value. */
function patchFields(token: Stored<TokenRecord>, patch: Patch, checks: FieldChecks, now: number) {
  const { mask, metadata, search_indexes, fingerprint_expression, expires_at, cvc_expires_at, ...fields } =
    token;
  const { search_values: _values, fingerprint: _fingerprint, ...rest } = fields;
  const data = parseData(token.type, mergeField(token.data, patch.data), checks);
  const newMask = mergeField(mask, patch.mask);
  const newMetadata = mergeField(metadata, patch.metadata);
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
function mergeField(value: unknown, patch: unknown): Json | undefined {
  if (patch === undefined) return value as Json | undefined;
  return patch === null ? undefined : mergePatch(value as Json | undefined, patch as Json);
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

/** Whether the commit failed because the patched token would equal another one. */
function isDuplicateConflict(error: unknown): error is ConflictError {
  return error instanceof ConflictError && error.reason === 'unless';
}

/** Serializes the duplicate for the response, redacted when the caller may not read it. */
async function serializeOriginal(
  original: TokenRecord,
  call: Call,
  services: AccessServices,
  budget: RequestBudget,
) {
  const transform = call.access.transform('token:read', original.containers);
  if (transform === undefined) return serializeRedacted(original, call);
  const shown = transform === 'redact' ? 'redact' : 'mask';
  recordTokenAccess('read', [original], shown, call, services);
  return serializeToken(original, shown, budget, call);
}
