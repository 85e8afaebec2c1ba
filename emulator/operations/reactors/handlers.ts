import type { ReactorRecord, Stored } from '../../store/records.js';
import type { Call } from '../call.js';
import type { Context } from '../context.js';
import type { Handler } from '../handler.js';
import { mergeField } from '../merge-patch.js';
import { insertRecord, removeRecord, updateRecord } from '../write-record.js';
import { list } from './list.js';
import { getResult, react, reactAsync } from './react-async.js';
import { resolveApplication } from './resolve-application.js';
import { serializeReactor } from './serialize.js';

/** POST /reactors. Code that does not parse is stored, as the remote service does; invoking it is 422. */
const create: Handler<'reactors.create'> = async ({ body }, call, context) => {
  const record: ReactorRecord = {
    id: context.ids.uuid(),
    tenant_id: call.tenant.id,
    name: body.name,
    code: body.code,
    configuration: body.configuration,
    ...resolveApplication(body.application, call.tenant.id, context.callers),
    created_by: call.application.id,
    created_at: context.clock.timestamp(),
  };
  await insertRecord('reactors', record, call, context);
  return { status: 201, body: serializeReactor(record) };
};

const get: Handler<'reactors.get'> = async ({ resource }) => ({
  status: 200,
  body: serializeReactor(resource),
});

/** Updates a reactor. The next invocation runs the new code. */
async function updateReactor(
  resource: Stored<ReactorRecord>,
  call: Call,
  context: Context,
  change: (current: Stored<ReactorRecord>) => Stored<ReactorRecord>,
): Promise<ReactorRecord> {
  const record = await updateRecord('reactors', resource, change, call, context);
  context.sandbox.retire(record.id);
  return record;
}

const replace: Handler<'reactors.replace'> = async ({ resource, body }, call, context) => {
  const reference = resolveApplication(body.application, call.tenant.id, context.callers);
  const record = await updateReactor(resource, call, context, ({ application: _, ...rest }) => ({
    ...rest,
    name: body.name,
    code: body.code,
    configuration: body.configuration,
    ...reference,
  }));
  return { status: 200, body: serializeReactor(record) };
};

/** PATCH /reactors/{id}. Merges `configuration` (RFC 7386) and replaces the other fields; `application: null` detaches. */
const update: Handler<'reactors.update'> = async ({ resource, body }, call, context) => {
  const reference = resolveApplication(body.application, call.tenant.id, context.callers);
  await updateReactor(resource, call, context, ({ application, ...current }) => ({
    ...current,
    ...(body.name !== undefined && { name: body.name }),
    ...(body.code !== undefined && { code: body.code }),
    ...(body.configuration && {
      configuration: mergeField('configuration', current.configuration, body.configuration),
    }),
    ...(body.application === undefined ? application && { application } : reference),
  }));
  return { status: 204, body: undefined };
};

const deleteReactor: Handler<'reactors.delete'> = async ({ resource }, call, context) => {
  await removeRecord('reactors', resource, call, context);
  context.sandbox.retire(resource.id);
  return { status: 204, body: undefined };
};

export const reactorHandlers = {
  'reactors.create': create,
  'reactors.list': list,
  'reactors.get': get,
  'reactors.replace': replace,
  'reactors.update': update,
  'reactors.delete': deleteReactor,
  'reactors.react': react,
  'reactors.reactAsync': reactAsync,
  'reactors.result': getResult,
};
