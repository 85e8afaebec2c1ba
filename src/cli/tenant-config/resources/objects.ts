import type { Client } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import { isObject } from '../../../contract/json.js';
import { type OperationId, operationOf } from '../../../contract/operations.js';
import { type FieldKind, RESOURCES, type Verb } from '../../../contract/resources.js';
import { unlessStatus } from '../../lib/key-owner.js';
import { listResource } from '../../lib/lookup.js';
import type { ApplicationIds } from './application-ids.js';
import { type Content, fieldsOf, type Kind, type Stored } from './content.js';

/** The operations on the objects of a kind. What a kind cannot do is absent. */
interface KindOperations {
  list: OperationId;
  update: OperationId;
  create?: OperationId;
  remove?: OperationId;
}

export function operationsOn(kind: Kind): KindOperations {
  if (kind === 'tenant') return { list: 'tenants.get', update: 'tenants.update' };
  const resource = RESOURCES[kind];
  const idOf = (verb: Verb) => operationOf(resource, verb);
  return {
    list: idOf('list'),
    create: idOf('create'),
    // What replaces an application is called an update.
    update: idOf(resource.verbs.includes('replace') ? 'replace' : 'update'),
    remove: idOf('delete'),
  };
}

async function call(client: Client, id: OperationId | undefined, input: object): Promise<unknown> {
  if (id === undefined) throw new Error('The tenant itself is neither created nor deleted.');
  // The compiler cannot relate the input to an operation that only a running program knows.
  return client.call(id as 'tenants.get', input as never);
}

type Values = Readonly<Record<string, unknown>>;

/** What few objects have is absent where there is none, as names or rules of an application; other values are null. */
const isOmitted = (kind: FieldKind, value: unknown): boolean =>
  value === undefined && ['names', 'rules', 'json', 'boolean'].includes(kind);

function toContentValue(kind: FieldKind, value: unknown): unknown {
  if (isObject(value) && kind === 'transform') return value.code;
  if (isObject(value) && kind === 'application') return value.id;
  return value ?? null;
}

/** Takes from an object of the service what a manifest sets; the key of a proxy, for example, is dropped here. */
export function toStored(kind: Kind, object: Values): Stored {
  const content = fieldsOf(kind)
    .filter(([name, field]) => !isOmitted(field.kind, object[name]))
    .map(([name, field]) => [name, toContentValue(field.kind, object[name])]);
  return {
    kind,
    id: object.id as string,
    // The contract says what the fields of the table hold.
    content: Object.fromEntries(content) as Content,
    state: object as NonNullable<Stored['state']>,
    createdAt: (object.created_at as string | undefined) ?? '',
    createdBy: object.created_by as string | undefined,
    modifiedAt: object.modified_at as string | undefined,
  };
}

function toBodyValue(kind: FieldKind, value: unknown, ids: ApplicationIds): unknown {
  if (kind === 'transform') return { code: value };
  return kind === 'application' ? { id: ids.toId(value as string) } : value;
}

/** @param isNew whether fields that never change are included */
function toBody(kind: Kind, content: Content, ids: ApplicationIds, isNew: boolean): object {
  const values: Values = { ...content };
  const sent = fieldsOf(kind).filter(
    ([name, { immutable }]) => (values[name] ?? undefined) !== undefined && (isNew || !immutable),
  );
  return Object.fromEntries(sent.map(([name, field]) => [name, toBodyValue(field.kind, values[name], ids)]));
}

/** Lists the objects of a kind, or those with exactly this name. Applications are referred to by ID. */
export async function listObjects(client: Client, kind: Kind, name?: string): Promise<Stored[]> {
  if (kind === 'tenant') return [toStored(kind, await client.call('tenants.get', {}))];
  const all: Stored[] = [];
  for await (const object of listResource(client, RESOURCES[kind], name))
    all.push(toStored(kind, { ...object }));
  return all;
}

/** As many objects of a kind are read name by name. For more, a list of the whole kind takes fewer requests. */
export const FEW_OBJECTS = 5;

/** Lists the objects of a kind with these names. Of many names, all objects of the kind may be listed. */
export async function listNamed(client: Client, kind: Kind, names: ReadonlySet<string>): Promise<Stored[]> {
  if (names.size > FEW_OBJECTS) return listObjects(client, kind);
  return (await Promise.all([...names].map((name) => listObjects(client, kind, name)))).flat();
}

export async function createObject(
  client: Client,
  kind: Kind,
  content: Content,
  ids: ApplicationIds,
): Promise<Stored> {
  const body = toBody(kind, content, ids, true);
  const create = async (more: object) =>
    toStored(kind, (await call(client, operationsOn(kind).create, { body: { ...body, ...more } })) as Values);
  if (kind !== 'application') return create({});
  try {
    return await create({ create_key: false });
  } catch (error) {
    const isUnknown = error instanceof ServiceError && error.problem.errors?.create_key !== undefined;
    if (!isUnknown) throw error;
    return create({});
  }
}

export async function updateObject(
  client: Client,
  { kind, id }: Pick<Stored, 'kind' | 'id'>,
  content: Content,
  ids: ApplicationIds,
): Promise<Stored> {
  const request = { path: { id }, body: toBody(kind, content, ids, false) };
  return toStored(kind, (await call(client, operationsOn(kind).update, request)) as Values);
}

/** Deletes an object. It is not an error if the object does not exist. */
export async function removeObject(client: Client, kind: Kind, id: string): Promise<void> {
  await unlessStatus([404], call(client, operationsOn(kind).remove, { path: { id } }));
}
