import type { OperationRequest } from '../../../src/contract/schemas/index.js';
import type { ProxyRecord, Stored } from '../../store/records.js';
import type { Call } from '../call.js';
import type { Context } from '../context.js';
import type { Handler } from '../handler.js';
import { mergeField } from '../merge-patch.js';
import { toOffsetLimit, toPage } from '../pagination.js';
import { resolveApplication } from '../reactors/resolve-application.js';
import { matchesName } from '../reactors/wildcard.js';
import { assertSecureUrl } from '../secure-url.js';
import { insertRecord, removeRecord, updateRecord } from '../write-record.js';
import { serializeProxy } from './serialize.js';
import { transformIds } from './transform.js';

type Content = OperationRequest<'proxies.create'>['body'];

function toFields(body: Content, call: Call, { callers }: Context) {
  const { name, destination_url, request_transform, response_transform } = body;
  return {
    name,
    destination_url,
    ...(request_transform && { request_transform }),
    ...(response_transform && { response_transform }),
    configuration: body.configuration ?? {},
    ...resolveApplication(body.application, call.tenant.id, callers),
    require_auth: body.require_auth ?? true,
  };
}

const create: Handler<'proxies.create'> = async ({ body }, call, context) => {
  await assertSecureUrl('destination_url', body.destination_url, context.options.network);
  const record: ProxyRecord = {
    id: context.ids.uuid(),
    tenant_id: call.tenant.id,
    key: context.ids.secret('proxy'),
    ...toFields(body, call, context),
    created_by: call.application.id,
    created_at: context.clock.timestamp(),
  };
  await insertRecord('proxies', record, call, context);
  return { status: 201, body: serializeProxy(record) };
};

/** GET /proxies. Names are compared one by one, since a tenant has few proxies. */
const list: Handler<'proxies.list'> = async ({ query }, call, context) => {
  const { name, id } = query;
  const ids = id?.map((one) => one.toLowerCase());
  const where = ids && { where: { ids } };
  const { records } = await context.store.find('proxies', { tenantId: call.tenant.id, ...where });
  const matching = records.filter((record) => name === undefined || matchesName(record.name, name));
  const { offset, limit } = toOffsetLimit(query);
  const page = matching.slice(offset, offset + limit).map(serializeProxy);
  return { status: 200, body: toPage(page, matching.length, query) };
};

const get: Handler<'proxies.get'> = async ({ resource }) => ({ status: 200, body: serializeProxy(resource) });

/** Updates a proxy. The next request runs its new transforms. */
async function updateProxy(
  resource: Stored<ProxyRecord>,
  call: Call,
  context: Context,
  change: (current: Stored<ProxyRecord>) => Stored<ProxyRecord>,
): Promise<ProxyRecord> {
  const record = await updateRecord('proxies', resource, change, call, context);
  for (const id of transformIds(record)) context.sandbox.retire(id);
  return record;
}

/** One that stays may be of a version that accepted every http URL. */
async function checkNewDestination(
  url: string | undefined,
  { destination_url }: Stored<ProxyRecord>,
  { options }: Context,
): Promise<void> {
  if (url !== undefined && url !== destination_url)
    await assertSecureUrl('destination_url', url, options.network);
}

const replace: Handler<'proxies.replace'> = async ({ resource, body }, call, context) => {
  await checkNewDestination(body.destination_url, resource, context);
  const fields = toFields(body, call, context);
  const record = await updateProxy(resource, call, context, (current) => {
    const { application: _a, request_transform: _q, response_transform: _s, ...rest } = current;
    return { ...rest, ...fields };
  });
  return { status: 200, body: serializeProxy(record) };
};

/** PATCH /proxies/{id}. Merges `configuration` and replaces the other fields; null removes a transform or the application. */
const update: Handler<'proxies.update'> = async ({ resource, body }, call, context) => {
  const { application, configuration, request_transform, response_transform, ...fields } = body;
  await checkNewDestination(fields.destination_url, resource, context);
  const reference = resolveApplication(application, call.tenant.id, context.callers);
  await updateProxy(resource, call, context, (current) => {
    const { application: _a, request_transform: _q, response_transform: _s, ...rest } = current;
    const request = request_transform === undefined ? current.request_transform : request_transform;
    const response = response_transform === undefined ? current.response_transform : response_transform;
    const attached = application === undefined ? current.application : reference.application;
    return {
      ...rest,
      ...(fields.name !== undefined && { name: fields.name }),
      ...(fields.destination_url !== undefined && { destination_url: fields.destination_url }),
      ...(fields.require_auth !== undefined && { require_auth: fields.require_auth }),
      ...(configuration && {
        configuration: mergeField('configuration', current.configuration, configuration),
      }),
      ...(request && { request_transform: request }),
      ...(response && { response_transform: response }),
      ...(attached && { application: attached }),
    };
  });
  return { status: 204, body: undefined };
};

const deleteProxy: Handler<'proxies.delete'> = async ({ resource }, call, context) => {
  await removeRecord('proxies', resource, call, context);
  for (const id of transformIds(resource)) context.sandbox.retire(id);
  return { status: 204, body: undefined };
};

export const proxyHandlers = {
  'proxies.create': create,
  'proxies.list': list,
  'proxies.get': get,
  'proxies.replace': replace,
  'proxies.update': update,
  'proxies.delete': deleteProxy,
};
