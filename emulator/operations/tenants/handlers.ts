import type { Tenant } from '../../../src/contract/schemas/index.js';
import { audit } from '../../services/audit-log.js';
import type { Stored, TenantRecord } from '../../store/records.js';
import { changedFields } from '../changed-fields.js';
import type { Handler } from '../handler-types.js';
import { retryOnConflict } from '../retry-on-conflict.js';
import { deleteTenant } from './delete-tenant.js';

type Settings = TenantRecord['settings'];

/** Serializes a tenant for a response, without its secrets. */
function serializeTenant(record: TenantRecord): Tenant {
  const { id, owner_id, name, settings, created_by, created_at, modified_by, modified_at } = record;
  return {
    id,
    owner_id,
    name,
    settings,
    ...(created_by && { created_by }),
    created_at,
    ...(modified_by && { modified_by }),
    ...(modified_at && { modified_at }),
  };
}

/** Replaces only the given settings (service-api.md, PUT /tenants/self). */
function mergeSettings(
  settings: Settings,
  patch: { [Key in keyof Settings]?: Settings[Key] | undefined } | null | undefined,
): Settings {
  return {
    fingerprint_tokens: patch?.fingerprint_tokens ?? settings.fingerprint_tokens,
    deduplicate_tokens: patch?.deduplicate_tokens ?? settings.deduplicate_tokens,
  };
}

const get: Handler<'tenants.get'> = async (_request, call) => ({
  status: 200,
  body: serializeTenant(call.tenant),
});

const update: Handler<'tenants.update'> = async ({ body }, call, context) => {
  const record = await retryOnConflict('tenants', call.tenant, context, async (tenant) => {
    const next: Stored<TenantRecord> = {
      ...tenant,
      name: body.name,
      settings: mergeSettings(tenant.settings, body.settings),
      modified_by: call.actor.id,
      modified_at: context.clock.timestamp(),
    };
    const entry = audit(
      call,
      { entity: 'tenant', operation: 'update', id: tenant.id, changed: changedFields(tenant, next) },
      context,
    );
    await context.store.commit([{ replace: 'tenants', record: next }, entry]);
    return next;
  });
  await context.callers.refreshTenant(record.id);
  return { status: 200, body: serializeTenant(record) };
};

/** DELETE /tenants/self. Deletes everything of the tenant; its keys get 401 from now on. */
const remove: Handler<'tenants.delete'> = async (_request, call, context) => {
  await deleteTenant(call.tenant.id, context);
  return { status: 204, body: undefined };
};

export const tenantHandlers = {
  'tenants.get': get,
  'tenants.update': update,
  'tenants.delete': remove,
};
