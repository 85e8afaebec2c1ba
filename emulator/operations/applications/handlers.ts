import { keyRecord, withKeys } from '../../access/application-keys.js';
import type { ApplicationRecord } from '../../store/records.js';
import type { Handler } from '../handler.js';
import { toOffsetLimit, toPage } from '../pagination.js';
import { insertRecord, removeRecord } from '../write-record.js';
import { checkAccess, toAccessControls } from './access-rules.js';
import { applicationKeyHandlers } from './keys.js';
import { serializeApplication } from './serialize.js';
import { updateApplication } from './update-application.js';

const create: Handler<'applications.create'> = async ({ body }, call, context) => {
  checkAccess(body.type, body);
  const key = body.create_key === false ? undefined : context.ids.apiKey();
  const id = context.ids.uuid();
  const created = { created_by: call.actor.id, created_at: context.clock.timestamp() };
  const record: ApplicationRecord = {
    id,
    tenant_id: call.tenant.id,
    name: body.name,
    type: body.type,
    ...toAccessControls(body),
    ...created,
    ...(key !== undefined && { keys: [keyRecord(key, { id, ...created })] }),
  };
  await insertRecord('applications', record, call, context);
  await context.callers.refreshApplication(call.tenant.id, record.id);
  return { status: 201, body: { ...serializeApplication(record), ...(key !== undefined && { key }) } };
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

const getOwn: Handler<'applications.key'> = async (_request, call) => ({
  status: 200,
  body: {
    ...serializeApplication(call.application),
    ...(call.keyId !== undefined && { key_id: call.keyId }),
  },
});

const get: Handler<'applications.get'> = async ({ resource }) => ({
  status: 200,
  body: serializeApplication(resource),
});

const update: Handler<'applications.update'> = async ({ resource, body }, call, context) => {
  checkAccess(resource.type, body);
  const record = await updateApplication(
    resource,
    call,
    context,
    ({ permissions: _, rules: __, ...rest }) => ({
      ...rest,
      name: body.name,
      ...toAccessControls(body),
    }),
  );
  return { status: 200, body: serializeApplication(record) };
};

const deleteApplication: Handler<'applications.delete'> = async ({ resource }, call, context) => {
  const { tenant_id: tenantId, id } = resource;
  await removeRecord('applications', resource, call, context, () =>
    context.idempotency.discardForApplication(tenantId, id),
  );
  await context.callers.refreshApplication(call.tenant.id, resource.id);
  await context.seeded.dropEndedKey(resource);
  return { status: 204, body: undefined };
};

/** Replaces all keys by one new key. */
const regenerate: Handler<'applications.regenerate'> = async ({ resource }, call, context) => {
  const key = context.ids.apiKey();
  const created = { created_by: call.actor.id, created_at: context.clock.timestamp() };
  const first = keyRecord(key, { id: resource.id, ...created });
  const record = await updateApplication(resource, call, context, (current) => withKeys(current, [first]));
  await context.seeded.recordNewKey(record, key);
  return { status: 200, body: { ...serializeApplication(record), key } };
};

export const applicationHandlers = {
  'applications.create': create,
  'applications.list': list,
  'applications.key': getOwn,
  'applications.get': get,
  'applications.update': update,
  'applications.delete': deleteApplication,
  'applications.regenerate': regenerate,
  ...applicationKeyHandlers,
};
