import type { ApplicationType } from '../../../src/contract/application-types.js';
import { LIMITS } from '../../../src/contract/limits.js';
import { operationOf } from '../../../src/contract/operations.js';
import type { Resource } from '../../../src/contract/resources.js';
import { operationSchemas } from '../../../src/contract/schemas/index.js';
import { knownProperties } from '../../../src/contract/validation.js';
import type { CallerRegistry } from '../../access/caller-registry.js';
import { jsonLength } from '../../lib/json-bounds.js';
import { problem, validationProblem } from '../../problems/problem.js';
import type { ProxyRecord, ReactorRecord, Records, Stored } from '../../store/records.js';
import type { Change } from '../../store/store.js';
import type { Call, Context } from '../context.js';
import { mergeField } from '../json-body.js';
import { assertSecureUrl } from '../secure-url.js';

export type ResourceCollection = Resource['collection'];

/** The fields of an object, by name: those of a request, or of a record. */
export type Fields = Record<string, unknown>;

/** A resource as the emulator serves it: its row of the table, and functions for what is special about it. */
export interface ServedResource<C extends ResourceCollection = ResourceCollection> {
  row: Resource;
  /** Checks what neither the schema nor the kinds of the fields say. @param current undefined for a new object @throws ProblemError */
  check?(
    body: Fields,
    current: Stored<Records[C]> | undefined,
    call: Call,
    context: Context,
  ): void | Promise<void>;
  /** Converts values before they are stored, by the name of their field. */
  convert?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** Drops from a record that is replaced what the emulator itself has noted. */
  renew?(current: Stored<Records[C]>): Stored<Records[C]>;
  /** Returns properties of answers that no record has, none of the specification's. @param now of the tenant's clock */
  derive?(record: Records[C], now: number, options: Pick<Context['options'], 'lenient'>): Fields;
  /** Its objects have code, which becomes active when they are written. */
  isActivated?: true;
  /** Generates what no request sets: `stored` with the record, `shown` in the answer to its creation alone. */
  generate?(
    body: Fields,
    created: { id: string; created_by: string; created_at: string },
    context: Context,
  ): { stored: Fields; shown?: Fields };
  /** Checks a record that is about to be stored. @throws ProblemError */
  assertRoom?(record: Records[C], context: Pick<Context, 'store'>): Promise<void>;
  /** Returns further changes of an update or a removal, for the same commit. @param changed names of fields; undefined on removal */
  commitWith?(
    record: Records[C],
    changed: string[] | undefined,
    context: Context,
  ): Change[] | Promise<Change[]>;
  /** Follows a change that is committed. */
  afterChange?(record: Records[C], context: Context): void | Promise<void>;
  afterRemoval?(record: Records[C], context: Context): void | Promise<void>;
}

type StringMap = Record<string, string>;

/** Checks the values of a request and converts them to those that are stored. @throws ProblemError 400 */
export async function acceptFields(
  { row, check, convert = {} }: ServedResource,
  body: Fields,
  current: Fields | undefined,
  call: Call,
  context: Context,
): Promise<Fields> {
  const accepted = { ...body };
  for (const [name, { kind }] of Object.entries(row.fields)) {
    const value = body[name];
    // A URL that stays was checked when it was set.
    if (kind === 'url' && typeof value === 'string' && value !== current?.[name])
      await assertSecureUrl(name, value, context.options.network);
  }
  await check?.(body, current as never, call, context);
  for (const [name, { kind }] of Object.entries(row.fields)) {
    const value = body[name];
    if (value == null) continue;
    if (kind === 'application')
      accepted[name] = resolveApplication(value as { id: string }, call.tenant.id, context.callers);
    else accepted[name] = convert[name]?.(value) ?? value;
  }
  return accepted;
}

/** Returns the fields of a whole object, with defaults. An absent value has no property. */
export function wholeFields({ fields }: Resource, accepted: Fields): Fields {
  const whole: Fields = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = accepted[name] ?? field.default;
    if (value != null) whole[name] = value;
  }
  return whole;
}

/** Puts the fields of a whole object in the place of those of a record; what is immutable stays. */
export function replaceFields<R extends object>({ fields }: Resource, record: R, whole: Fields): R {
  const replaced: Fields = { ...record, ...whole };
  for (const [name, { immutable }] of Object.entries(fields))
    if (!immutable && !Object.hasOwn(whole, name)) delete replaced[name];
  return replaced as R;
}

/** Applies a merge patch to a record: null removes a field, maps merge, and any other value replaces. @throws ProblemError 400 */
export function patchFields<R extends object>({ fields }: Resource, record: R, accepted: Fields): R {
  const patched = { ...record } as Fields;
  for (const [name, { kind }] of Object.entries(fields)) {
    const value = accepted[name];
    if (value === undefined) continue;
    if (value === null) delete patched[name];
    else if (kind === 'map') patched[name] = mergeField(name, patched[name] as StringMap, value as StringMap);
    else patched[name] = value;
  }
  return patched as R;
}

/** The properties of the objects in answers, in their order, as the contract states them. */
const properties = new Map<ResourceCollection, readonly string[]>();

function propertiesOf(row: Resource): readonly string[] {
  const known = properties.get(row.collection);
  if (known) return known;
  const schema = operationSchemas(operationOf(row, 'get')).responses[200];
  const listed = schema ? knownProperties(schema, []) : [];
  properties.set(row.collection, listed);
  return listed;
}

/** Serializes a record for an answer: without what the contract does not name, such as the hashes of keys. */
export function serialize<Body>(
  { row, derive }: ServedResource,
  record: object,
  { clock, options }: Pick<Context, 'clock' | 'options'>,
): Body {
  const derived = derive?.(record as Records[ResourceCollection], clock.now(), options);
  const values: Fields = { ...record, ...derived };
  const body: Fields = {};
  for (const name of propertiesOf(row)) if (values[name] !== undefined) body[name] = values[name];
  return body as Body;
}

/** service-api.md, "Reactor object": "Must be a public or private application type". */
const ACCEPTED_TYPES: readonly ApplicationType[] = ['public', 'private'];

/** Returns the reference to store. @throws ProblemError 400 unless it is a public or private application of the tenant */
function resolveApplication(reference: { id: string }, tenantId: string, callers: CallerRegistry) {
  const id = reference.id.toLowerCase();
  const type = callers.findByApplication(tenantId, id)?.application.type;
  if (type !== undefined && ACCEPTED_TYPES.includes(type)) return { id };
  const message =
    type === undefined
      ? 'must be the id of an application of the tenant'
      : `must be a ${ACCEPTED_TYPES.join(' or ')} application; this one is of type ${type}`;
  throw validationProblem({ 'application.id': [message] });
}

type CodeRecord = ReactorRecord | ProxyRecord;

/** The bytes of stored records, which never change. */
const known = new WeakMap<CodeRecord, number>();

/** Bounds the code and configurations of a tenant, all of which are in memory. @throws ProblemError 507 */
export async function assertCodeRoom(record: CodeRecord, { store }: Pick<Context, 'store'>): Promise<void> {
  const { tenant_id: tenantId, id } = record;
  const stored = await Promise.all([
    store.find('reactors', { tenantId }),
    store.find('proxies', { tenantId }),
  ]);
  let bytes = jsonLength(record);
  for (const one of stored.flatMap(({ records }): CodeRecord[] => records))
    if (one.id !== id) bytes += knownBytes(one);
  if (bytes <= LIMITS.tenantCodeBytes) return;
  const detail = `The code and configurations of a tenant may have ${LIMITS.tenantCodeBytes} bytes together.`;
  throw problem('storageFull', detail);
}

function knownBytes(record: CodeRecord): number {
  const bytes = known.get(record) ?? jsonLength(record);
  known.set(record, bytes);
  return bytes;
}
