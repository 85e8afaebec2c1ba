import type { ApplicationType } from '../../../src/contract/application-types.js';
import { type Permission, permissionsOfType } from '../../../src/contract/permissions.js';
import { RESOURCES } from '../../../src/contract/resources.js';
import type { AccessRule, ApplicationKey } from '../../../src/contract/schemas/index.js';
import type { FieldErrors } from '../../../src/contract/validation.js';
import { isKeyExpired, keyRecord, keysOf } from '../../access/application-keys.js';
import { validationProblem } from '../../problems/problem.js';
import type { ApplicationKeyRecord, ApplicationRecord } from '../../store/records.js';
import type { Context } from '../context.js';
import type { ServedResource } from '../resource/served-resource.js';

/** What is special about applications: who may hold what, their keys, and what depends on both. */
export const application: ServedResource<'applications'> = {
  row: RESOURCES.application,
  check(body, current) {
    checkAccess(current?.type ?? (body.type as ApplicationType), body);
  },
  generate({ create_key }, created, context) {
    if (create_key === false) return { stored: {} };
    const key = context.ids.apiKey();
    const record = keyRecord(key, created);
    return { stored: { keys: [record] }, shown: showKey(key, record, context) };
  },
  // Always given: those of the record have hashes.
  derive: (record, now, { lenient }) => ({
    keys: lenient ? validKeys(record, now).map(serializeKey) : undefined,
  }),
  /** Discards responses stored under the former access. A new name keeps them: nothing may be carried out twice. */
  commitWith({ tenant_id: tenantId, id }, changed, { idempotency }) {
    const isRenamed = changed?.every((field) => field === 'name') ?? false;
    return isRenamed ? [] : idempotency.discardForApplication(tenantId, id);
  },
  afterChange: ({ tenant_id: tenantId, id }, { callers }) => callers.refreshApplication(tenantId, id),
  afterRemoval: (record, { seeded }) => seeded.dropEndedKey(record),
};

/** Lists the keys that work. Those that have expired no longer exist for callers. */
export const validKeys = (application: ApplicationRecord, now: number): ApplicationKeyRecord[] =>
  keysOf(application).filter((key) => !isKeyExpired(key, now));

export const serializeKey = ({ hash: _hash, ...key }: ApplicationKeyRecord): ApplicationKey => key;

/** Returns what only the response shows that gives an application its first key. */
export const showKey = (key: string, record: ApplicationKeyRecord, { options }: Pick<Context, 'options'>) =>
  options.lenient ? { key, keys: [{ ...serializeKey(record), key }] } : { key };

type AccessControls = { permissions?: Permission[]; rules?: AccessRule[] };

function checkPermissions(
  type: ApplicationType,
  granted: readonly Permission[],
  path: string,
  errors: FieldErrors,
): void {
  const allowed = permissionsOfType(type);
  for (const [index, permission] of granted.entries())
    if (!allowed.includes(permission))
      errors[`${path}.${index}`] = [
        `is not allowed for a ${type} application; allowed are ${allowed.join(', ')}`,
      ];
}

/** @throws ProblemError 400 when the type may not hold a permission; decisions.md, "Containers and access controls". */
function checkAccess(type: ApplicationType, { permissions, rules }: AccessControls): void {
  const errors: FieldErrors = {};
  checkPermissions(type, permissions ?? [], 'permissions', errors);
  for (const [index, rule] of (rules ?? []).entries())
    checkPermissions(type, rule.permissions, `rules.${index}.permissions`, errors);
  if (Object.keys(errors).length > 0) throw validationProblem(errors);
}
