import { type OperationId, operationOf, operationRow } from '../../../src/contract/operations.js';
import type { Verb } from '../../../src/contract/resources.js';
import { audit, changedFields } from '../../services/audit-log.js';
import type { Records, Stored } from '../../store/records.js';
import type { Change, Replace } from '../../store/store.js';
import type { Call, Context, Handlers, OperationResult } from '../context.js';
import { toOffsetLimit, toPage } from '../pagination.js';
import { retryOnConflict } from '../retry-on-conflict.js';
import { noteActivation } from './activation.js';
import {
  acceptFields,
  type Fields,
  patchFields,
  type ResourceCollection,
  replaceFields,
  type ServedResource,
  serialize,
  wholeFields,
} from './served-resource.js';

type AnyRecord = Records[ResourceCollection];

interface Request {
  query: { page: number; size: number; id?: string[]; name?: string };
  body: Fields;
  /** The object that the path names; of operations on one. */
  resource: Stored<AnyRecord>;
}

type CrudHandler = (
  served: ServedResource,
  request: Request,
  call: Call,
  context: Context,
) => Promise<OperationResult>;

const create: CrudHandler = async (served, { body }, call, context) => {
  const { row } = served;
  const accepted = await acceptFields(served, body, undefined, call, context);
  const created = { created_by: call.actor.id, created_at: context.clock.timestamp() };
  const id = context.ids.uuid();
  const generated = served.generate?.(body, { id, ...created }, context);
  const identity = { id, tenant_id: call.tenant.id };
  const whole = { ...identity, ...wholeFields(row, accepted), ...created, ...generated?.stored };
  const record = whole as AnyRecord;
  if (served.isActivated) noteActivation(record, call, context);
  await served.assertRoom?.(record, context);
  const entry = audit(call, { entity: row.noun, operation: 'create', id }, context);
  // The compiler does not relate the name of a collection in the table to its records.
  const insert = { insert: row.collection, record } as Change;
  await context.store.commit([{ require: 'tenants', tenantId: call.tenant.id }, insert, entry]);
  await served.afterChange?.(record, context);
  return { status: 201, body: { ...serialize<Fields>(served, record, context), ...generated?.shown } };
};

/** Lists the objects of a tenant, the newest first: those with an id out of several, or with a name that a pattern matches. */
const list: CrudHandler = async (served, { query }, { tenant }, context) => {
  const { store } = context;
  const { collection } = served.row;
  const { id, name } = query;
  const ids = id?.map((one) => one.toLowerCase());
  const scope = { tenantId: tenant.id, ...(ids && { where: { ids } }) };
  const { offset, limit } = toOffsetLimit(query);
  const page = (records: readonly AnyRecord[], total: number) => ({
    status: 200,
    body: toPage(
      records.map((record) => serialize(served, record, context)),
      total,
      query,
    ),
  });
  if (name === undefined) {
    const { records, total } = await store.find(collection, { ...scope, offset, limit });
    return page(records, total);
  }
  // Names are compared one by one, since a tenant has few objects and all are in memory.
  const { records } = await store.find(collection, scope);
  const matching = records.filter((record) => matchesName(record.name, name));
  return page(matching.slice(offset, offset + limit), matching.length);
};

const get: CrudHandler = async (served, { resource }, _call, context) => ({
  status: 200,
  body: serialize(served, resource, context),
});

/** PUT: the fields of the request take the place of all that can change. */
const replace: CrudHandler = async (served, { resource, body }, call, context) => {
  const accepted = await acceptFields(served, body, { ...resource }, call, context);
  const whole = wholeFields(served.row, accepted);
  const change = (current: Stored<AnyRecord>) =>
    replaceFields(served.row, served.renew?.(current) ?? current, whole);
  return {
    status: 200,
    body: serialize(served, await updateRecord(served, resource, change, call, context), context),
  };
};

const patch: CrudHandler = async (served, { resource, body }, call, context) => {
  const accepted = await acceptFields(served, body, { ...resource }, call, context);
  const change = (current: Stored<AnyRecord>) => patchFields(served.row, current, accepted);
  await updateRecord(served, resource, change, call, context);
  return { status: 204, body: undefined };
};

const remove: CrudHandler = async (served, { resource }, call, context) => {
  const { collection, noun: entity } = served.row;
  await retryOnConflict(collection, resource, context, async (current) => {
    const { tenant_id: tenantId, id } = current;
    const entry = audit(call, { entity, operation: 'delete', id }, context);
    const others = (await served.commitWith?.(current, undefined, context)) ?? [];
    await context.store.commit([{ remove: collection, tenantId, id }, ...others, entry]);
  });
  await served.afterChange?.(resource, context);
  await served.afterRemoval?.(resource, context);
  return { status: 204, body: undefined };
};

/** Returns the function behind a verb; the update of a resource may be a PUT or a PATCH. */
function handlerOf(verb: Verb, operation: OperationId): CrudHandler {
  if (verb !== 'update') return { create, list, get, replace, delete: remove }[verb];
  return operationRow(operation).body === 'merge-patch' ? patch : replace;
}

type CrudHandlers<C extends ResourceCollection> = Pick<Handlers, Extract<OperationId, `${C}.${Verb}`>>;

export function crudHandlers<C extends ResourceCollection>(served: ServedResource<C>): CrudHandlers<C> {
  const entries = served.row.verbs.map((verb) => {
    const operation = operationOf(served.row, verb);
    const handler = handlerOf(verb, operation);
    return [operation, handler.bind(undefined, served as ServedResource)];
  });
  // That the contract has these operations is tested with the table.
  return Object.fromEntries(entries);
}

/** Replaces a record by a changed copy, with its audit entry. @throws ProblemError 404 when the record was deleted */
export async function updateRecord<C extends ResourceCollection>(
  served: ServedResource<C>,
  resource: Stored<Records[C]>,
  change: (current: Stored<Records[C]>) => Stored<Records[C]>,
  call: Call,
  context: Context,
): Promise<Stored<Records[C]>> {
  const collection = served.row.collection as C;
  const updated = await retryOnConflict(collection, resource, context, async (current) => {
    const modified = { modified_by: call.actor.id, modified_at: context.clock.timestamp() };
    const record = Object.assign({}, change(current), modified);
    if (served.isActivated) noteActivation(record, call, context);
    await served.assertRoom?.(record, context);
    const changed = changedFields(current, record);
    const audited = { entity: served.row.noun, operation: 'update', id: record.id, changed } as const;
    const replace = { replace: collection, record } as Replace<ResourceCollection>;
    const others = (await served.commitWith?.(record, changed, context)) ?? [];
    await context.store.commit([replace, ...others, audit(call, audited, context)]);
    return record;
  });
  await served.afterChange?.(updated, context);
  return updated;
}

/** Matches without case (decisions.md, "Reactors"), in time proportional to name × pattern at most. */
export function matchesName(name: string, pattern: string): boolean {
  const text = [...name.toLowerCase()];
  const parts = (/[*?]/.test(pattern) ? pattern : `*${pattern}*`).toLowerCase().split('*');
  const [first = [], ...others] = parts.map((part) => [...part]);
  const fits = (part: string[], at: number) =>
    at + part.length <= text.length && part.every((one, index) => one === '?' || one === text[at + index]);
  const last = others.pop();
  if (!last) return text.length === first.length && fits(first, 0);
  let at = fits(first, 0) ? first.length : Number.POSITIVE_INFINITY;
  // Each part as early as possible: a later place would only leave less for those after it.
  for (const part of others) {
    while (at <= text.length && !fits(part, at)) at += 1;
    at += part.length;
  }
  return text.length - last.length >= at && fits(last, text.length - last.length);
}
