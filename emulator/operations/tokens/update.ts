import { isDeepStrictEqual } from 'node:util';
import { RequestBudget } from '../../expressions/index.js';
import { validationProblem } from '../../problems/problem.js';
import { audit, changedFields } from '../../services/audit-log.js';
import { ConflictError } from '../../store/errors.js';
import type { TokenRecord } from '../../store/records.js';
import { findResponseTransform, requirePermissionOnAll, requirePermissionOnAny } from '../authorize.js';
import type { Call, Handler } from '../context.js';
import { retryOnConflict } from '../retry-on-conflict.js';
import { applyPatch, type Patch } from './apply-patch.js';
import { duplicateCondition, findDuplicate } from './create.js';
import { decryptData } from './decrypt-data.js';
import { withoutExpiredData } from './lifetime.js';
import { type AccessServices, recordTokenAccess } from './record-access.js';
import { serializeRedacted, serializeToken, toTokenObject } from './serialize.js';

/** PATCH /tokens/{id}. The whole resulting token is validated before anything is stored. */
export const update: Handler<'tokens.update'> = async ({ resource, body: given }, call, context) => {
  const { encrypted, ...rest } = given;
  if (encrypted !== undefined && rest.data !== undefined)
    throw validationProblem({ encrypted: ['cannot be given together with data'] });
  authorizeUpdate(resource, rest, call);
  const body =
    encrypted === undefined
      ? rest
      : { ...rest, data: await decryptData(encrypted, resource.type, call, context) };
  return retryOnConflict('tokens', resource, context, async (stored) => {
    const now = context.clock.now();
    if (stored !== resource) authorizeUpdate(stored, body, call);
    const budget = new RequestBudget(now, call.tenant.id);
    const token = withoutExpiredData(stored, now);
    const { record, masked, uniqueFingerprint } = await applyPatch(token, body, call, budget);
    const unless =
      uniqueFingerprint === undefined ? {} : { unless: duplicateCondition(uniqueFingerprint, now) };
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
      // `unless`: the patched token would equal another one.
      if (!(error instanceof ConflictError) || error.reason !== 'unless') throw error;
      if (uniqueFingerprint === undefined) throw error;
      const original = await findDuplicate(uniqueFingerprint, call, context);
      // A concurrent request deleted the duplicate, or gave this token the fingerprint: retry, as after any conflict.
      if (original === undefined || original.id === record.id)
        throw new ConflictError('revision', 'tokens', record.id);
      // Nothing was updated.
      call.audited = undefined;
      return { status: 200, body: await serializeOriginal(original, call, context, budget) };
    }
    return { status: 200, body: toTokenObject(record, isShown ? masked : undefined, call) };
  });
};

/** Whether the caller may read the token: `token:update` alone would read any token through a mask of its own. */
function mayRead(token: TokenRecord, call: Call): boolean {
  const transform = findResponseTransform(token, call);
  return transform === 'mask' || transform === 'reveal';
}

/** Whether the containers differ, in any order: responses stored before were given under other access controls. */
function isMoved(before: TokenRecord, { containers }: Pick<TokenRecord, 'containers'>): boolean {
  return !isDeepStrictEqual(new Set(before.containers), new Set(containers));
}

/** Requires `token:update`, and on the old and the new containers if they change. */
function authorizeUpdate(token: TokenRecord, patch: Patch, call: Call): void {
  requirePermissionOnAny('token:update', token, call);
  const { containers } = patch;
  if (!containers || !isMoved(token, { containers })) return;
  const oldAndNew = [...new Set([...token.containers, ...containers])];
  requirePermissionOnAll('token:update', { id: token.id, containers: oldAndNew }, call);
}

/** Serializes the duplicate for the response, redacted when the caller may not read it. */
async function serializeOriginal(
  original: TokenRecord,
  call: Call,
  services: AccessServices,
  budget: RequestBudget,
) {
  const transform = findResponseTransform(original, call);
  if (transform === undefined) return serializeRedacted(original, call);
  const shown = transform === 'redact' ? 'redact' : 'mask';
  recordTokenAccess('read', [original], shown, call, services);
  return serializeToken(original, shown, budget, call);
}
