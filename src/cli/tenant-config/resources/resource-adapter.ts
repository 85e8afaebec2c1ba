import type { Client } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import { isObject } from '../../../contract/json.js';
import { operationOf } from '../../../contract/operations.js';
import {
  type FieldKind,
  RESOURCES,
  type Resource,
  type ResourceField,
  type Verb,
} from '../../../contract/resources.js';
import type { AccessRule } from '../../../contract/schemas/index.js';
import { callResource } from '../../lib/call-resource.js';
import { listObjects } from '../../lib/lookup.js';
import type { Adapter } from './adapter-types.js';
import type { ApplicationIds } from './application-ids.js';
import type { Contents, Kind, Stored } from './content.js';
import { accessRuleFields, configurationFields, type Field } from './field.js';

/** The kinds of objects that are rows of the table of resources. */
type ResourceKind = Exclude<Kind, 'tenant'>;

type Values = Readonly<Record<string, unknown>>;

const fieldsOf = (kind: ResourceKind): [name: string, field: ResourceField][] =>
  Object.entries(RESOURCES[kind].fields);

/** Names and rules that an object does not have are absent, since an application has only one of these; other values are null. */
const isOmitted = ({ kind }: ResourceField, value: unknown): boolean =>
  value === undefined && (kind === 'names' || kind === 'rules');

function toContentValue({ kind }: ResourceField, value: unknown): unknown {
  if (isObject(value) && kind === 'transform') return value.code;
  if (isObject(value) && kind === 'application') return value.id;
  return value ?? null;
}

/** Takes from an object of the service what a manifest sets; the key of a proxy, for example, is dropped here. */
function toStored<K extends ResourceKind>(kind: K, object: Values): Stored<K> {
  const content = fieldsOf(kind)
    .filter(([name, field]) => !isOmitted(field, object[name]))
    .map(([name, field]) => [name, toContentValue(field, object[name])]);
  return {
    kind,
    id: object.id as string,
    // The contract says what the fields of the table hold.
    content: Object.fromEntries(content) as Contents[K],
    createdAt: (object.created_at as string | undefined) ?? '',
    createdBy: object.created_by as string | undefined,
    modifiedAt: object.modified_at as string | undefined,
  };
}

function toBodyValue({ kind }: ResourceField, value: unknown, ids: ApplicationIds): unknown {
  if (kind === 'transform') return { code: value };
  return kind === 'application' ? { id: ids.toId(value as string) } : value;
}

function toBody(kind: ResourceKind, content: Values, ids: ApplicationIds, verb: Verb): object {
  const sent = fieldsOf(kind).filter(
    ([name, { immutable }]) =>
      (content[name] ?? undefined) !== undefined && (verb === 'create' || !immutable),
  );
  return Object.fromEntries(sent.map(([name, field]) => [name, toBodyValue(field, content[name], ids)]));
}

const namesFields = (name: string, values: readonly string[]): Field[] =>
  [...values].sort().map((value) => ({ name: `${name}.${value}`, value: true, show: 'presence' }));

/** How fields are compared that have several values, each of which is listed for itself, after the others. */
const SEVERAL: Partial<Record<FieldKind, (name: string, value: never) => Field[]>> = {
  names: (name, value: readonly string[]) => namesFields(name, value),
  rules: (_name, value: readonly AccessRule[]) => accessRuleFields(value),
  map: (_name, value: Readonly<Record<string, string>>) => configurationFields(value),
};

function listFields(kind: ResourceKind, content: Values): Field[] {
  const all = fieldsOf(kind).map(([name, { kind: of }]): [boolean, Field[]] => {
    const value = content[name];
    const several = SEVERAL[of];
    if (several) return [true, value === undefined ? [] : several(name, value as never)];
    const isCode = of === 'code' || of === 'transform';
    return [false, [{ name, value, ...(isCode && { show: 'code' }) }]];
  });
  return [false, true].flatMap((several) => all.flatMap(([is, fields]) => (is === several ? fields : [])));
}

/** Returns undefined for a 404. */
export async function unlessMissing<Result>(request: Promise<Result>): Promise<Result | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}

/** The operation that replaces an object; that of an application is called an update. */
const replaceVerb = ({ verbs }: Resource): Verb => (verbs.includes('replace') ? 'replace' : 'update');

/**
 * Creates the adapter of a kind from its row in the table of resources.
 * @param special what the table does not say
 */
export function createAdapter<K extends ResourceKind>(
  kind: K,
  special: Pick<Adapter<K>, 'weakenings'> & {
    /** Creates an object in another way than with one call. */
    send?: (client: Client, body: object) => Promise<unknown>;
  },
): Adapter<K> {
  const resource = RESOURCES[kind];
  const send = special.send ?? ((client, body) => callResource(client, resource, 'create', { body }));
  const reference = fieldsOf(kind).find(([, field]) => field.kind === 'application')?.[0];
  const referenceOf = (content: Contents[K]): string | null =>
    reference === undefined ? null : ((content as unknown as Values)[reference] as string | null);
  return {
    operations: {
      list: operationOf(resource, 'list'),
      create: operationOf(resource, 'create'),
      update: operationOf(resource, replaceVerb(resource)),
      remove: operationOf(resource, 'delete'),
    },
    async *list(client, name) {
      for await (const object of listObjects(client, resource, name)) yield toStored(kind, { ...object });
    },
    async create(client, content, ids) {
      const body = toBody(kind, { ...content }, ids, 'create');
      return toStored(kind, (await send(client, body)) as Values);
    },
    async update(client, id, content, ids) {
      const verb = replaceVerb(resource);
      const body = toBody(kind, { ...content }, ids, verb);
      await callResource(client, resource, verb, { path: { id }, body });
    },
    async remove(client, id) {
      await unlessMissing(callResource(client, resource, 'delete', { path: { id } }));
    },
    fields: (content) => listFields(kind, { ...content }),
    normalize(content, ids) {
      const application = referenceOf(content);
      return application === null || reference === undefined
        ? content
        : { ...content, [reference]: ids.toReference(application) };
    },
    application: (content) => referenceOf(content) ?? undefined,
    weakenings: special.weakenings,
  };
}
