import { keyHash } from '../../access/key-hash.js';
import { audit } from '../../services/audit-log.js';
import type { ApplicationRecord, LogRecord, Stored } from '../../store/records.js';
import type { Context } from '../context.js';
import type { Call, Handler } from '../handler.js';
import { toOffsetLimit, toPage } from '../pagination.js';
import { requireTenant } from '../require-tenant.js';
import { retryOnConflict } from '../retry-on-conflict.js';
import { accessControls, checkAccess } from './access-rules.js';
import { serializeApplication } from './serialize.js';

function entry(operation: LogRecord['operation'], id: string, call: Call, context: Context) {
  return audit(call, { entity: 'application', operation, id }, context);
}

const create: Handler<'applications.create'> = async ({ body }, call, context) => {
  checkAccess(body.type, body);
  const key = context.ids.apiKey();
  const record: ApplicationRecord = {
    id: context.ids.uuid(),
    tenant_id: call.tenant.id,
    name: body.name,
    type: body.type,
    ...accessControls(body),
    created_by: call.actor.id,
    created_at: context.clock.timestamp(),
    key_hash: keyHash(key),
  };
  await context.store.commit([
    requireTenant(call),
    { insert: 'applications', record },
    entry('create', record.id, call, context),
  ]);
  await context.callers.applicationChanged(call.tenant.id, record.id);
  return { status: 201, body: { ...serializeApplication(record), key } };
};

const list: Handler<'applications.list'> = async ({ query }, call, context) => {
  const ids = query.id?.map((id) => id.toLowerCase());
  const { records, total } = await context.store.find('applications', {
    tenantId: call.tenant.id,
    ...(ids && { where: { ids } }),
    ...toOffsetLimit(query),
  });
  return { status: 200, body: toPage(records.map(serializeApplication), total, query) };
};

const own: Handler<'applications.key'> = async (_request, call) => ({
  status: 200,
  body: serializeApplication(call.application),
});

const get: Handler<'applications.get'> = async ({ target }) => ({
  status: 200,
  body: serializeApplication(target),
});

/** Replaces the record by what `change` makes of it, as often as another change comes in between. */
async function change(
  target: Stored<ApplicationRecord>,
  call: Call,
  context: Context,
  changed: (record: Stored<ApplicationRecord>) => Stored<ApplicationRecord>,
): Promise<Stored<ApplicationRecord>> {
  const record = await retryOnConflict('applications', target, context, async (current) => {
    const next = {
      ...changed(current),
      modified_by: call.actor.id,
      modified_at: context.clock.timestamp(),
    };
    await context.store.commit([
      { replace: 'applications', record: next },
      entry('update', next.id, call, context),
    ]);
    return next;
  });
  await context.callers.applicationChanged(record.tenant_id, record.id);
  return record;
}

const update: Handler<'applications.update'> = async ({ target, body }, call, context) => {
  checkAccess(target.type, body);
  const record = await change(target, call, context, ({ permissions: _, rules: __, ...rest }) => ({
    ...rest,
    name: body.name,
    ...accessControls(body),
  }));
  return { status: 200, body: serializeApplication(record) };
};

const remove: Handler<'applications.delete'> = async ({ target }, call, context) => {
  await retryOnConflict('applications', target, context, ({ tenant_id: tenantId, id }) =>
    context.store.commit([{ remove: 'applications', tenantId, id }, entry('delete', id, call, context)]),
  );
  await context.callers.applicationChanged(call.tenant.id, target.id);
  return { status: 204, body: undefined };
};

const regenerate: Handler<'applications.regenerate'> = async ({ target }, call, context) => {
  const key = context.ids.apiKey();
  const record = await change(target, call, context, (current) => ({ ...current, key_hash: keyHash(key) }));
  await context.seeded.recordNewKey(record, key);
  return { status: 200, body: { ...serializeApplication(record), key } };
};

export const applicationHandlers = {
  'applications.create': create,
  'applications.list': list,
  'applications.key': own,
  'applications.get': get,
  'applications.update': update,
  'applications.delete': remove,
  'applications.regenerate': regenerate,
};
