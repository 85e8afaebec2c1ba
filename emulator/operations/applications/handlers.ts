import { LIMITS } from '../../../src/contract/limits.js';
import { PERMISSION_NAMES, PERMISSIONS, permissionsOfType } from '../../../src/contract/permissions.js';
import type { Application, ApplicationKey } from '../../../src/contract/schemas/index.js';
import { keyRecord } from '../../access/application-keys.js';
import { problem, validationProblem } from '../../problems/problem.js';
import type { ApplicationKeyRecord, ApplicationRecord } from '../../store/records.js';
import type { Call, Context, Handlers } from '../context.js';
import { crudHandlers, updateRecord } from '../resource/crud.js';
import { serialize } from '../resource/served-resource.js';
import { parseExpiry } from '../tokens/lifetime.js';
import { application, serializeKey, showKey, validKeys } from './application.js';

async function serializeUsedKey(
  key: ApplicationKeyRecord,
  { tenant_id }: ApplicationRecord,
  { keyUse }: Context,
): Promise<ApplicationKey> {
  const used = await keyUse.lastUse(tenant_id, key.id);
  return { ...serializeKey(key), ...(used !== undefined && { last_used_at: used }) };
}

function requireKey(application: ApplicationRecord, id: string, now: number): ApplicationKeyRecord {
  const found = validKeys(application, now).find((key) => key.id === id.toLowerCase());
  if (!found) throw problem('notFound', 'The application has no key with this id.');
  return found;
}

/** Reports an event about a key, once the update of its application is stored. */
const reportKey = (
  verb: 'created' | 'deleted',
  key: object,
  { id: application_id, tenant_id }: ApplicationRecord,
  { actor }: Call,
  { webhookEvents }: Context,
) =>
  webhookEvents.report(`application.key.${verb}`, tenant_id, {
    application_key: { ...key, application_id },
    actor,
  });

export const applicationHandlers = {
  ...crudHandlers(application),
  'applications.key': async (_request, call, context) => ({
    status: 200,
    body: {
      ...serialize<Application>(application, call.application, context),
      ...(call.keyId !== undefined && { key_id: call.keyId }),
    },
  }),
  /** Replaces all keys by one new key. */
  async 'applications.regenerate'({ resource }, call, context) {
    const key = context.ids.apiKey();
    const created = { created_by: call.actor.id, created_at: context.clock.timestamp() };
    const first = keyRecord(key, { id: resource.id, ...created });
    const change = (current: typeof resource) => ({ ...current, keys: [first] });
    const record = await updateRecord(application, resource, change, call, context);
    await context.seeded.recordNewKey(record, key);
    const body = { ...serialize<Application>(application, record, context), ...showKey(key, first, context) };
    return { status: 200, body };
  },
  'applications.keys.list': async ({ resource }, _call, context) => ({
    status: 200,
    body: await Promise.all(
      validKeys(resource, context.clock.now()).map((key) => serializeUsedKey(key, resource, context)),
    ),
  }),
  /** POST /applications/{id}/keys. The other keys stay valid, so that callers can change to the new one in their own time. */
  async 'applications.keys.create'({ resource, body }, call, context) {
    const now = context.clock.now();
    const expires = parseExpiry(body.expires_at, now);
    const key = context.ids.apiKey();
    const added = keyRecord(key, {
      id: context.ids.uuid(),
      ...(body.name !== undefined && { name: body.name }),
      created_by: call.actor.id,
      created_at: context.clock.timestamp(),
      ...(expires !== undefined && { expires_at: expires }),
    });
    const change = (current: typeof resource) => {
      const others = validKeys(current, now);
      if (others.length >= LIMITS.applicationKeys)
        throw validationProblem({ keys: [`an application has at most ${LIMITS.applicationKeys} keys`] });
      return { ...current, keys: [...others, added] };
    };
    await updateRecord(application, resource, change, call, context);
    const { id, created_by, created_at } = added;
    await reportKey('created', { id, created_by, created_at }, resource, call, context);
    return { status: 201, body: { ...serializeKey(added), key } };
  },
  'applications.keys.get': async ({ resource, path }, _call, context) => ({
    status: 200,
    body: await serializeUsedKey(requireKey(resource, path.key_id, context.clock.now()), resource, context),
  }),
  /** PUT /applications/{id}/keys/{key_id}: says when a key ends. What rotates a key ends the old one so. */
  async 'applications.keys.update'({ resource, path, body }, call, context) {
    const now = context.clock.now();
    const expires = parseExpiry(body.expires_at, now);
    const changed = ({ expires_at: _, ...key }: ApplicationKeyRecord): ApplicationKeyRecord => ({
      ...key,
      ...(body.name !== undefined && { name: body.name }),
      ...(expires !== undefined && { expires_at: expires }),
    });
    const change = (current: typeof resource) => {
      const { id } = requireKey(current, path.key_id, now);
      const keys = validKeys(current, now).map((key) => (key.id === id ? changed(key) : key));
      return { ...current, keys };
    };
    const record = await updateRecord(application, resource, change, call, context);
    return {
      status: 200,
      body: await serializeUsedKey(requireKey(record, path.key_id, now), record, context),
    };
  },
  async 'applications.keys.delete'({ resource, path }, call, context) {
    const now = context.clock.now();
    const change = (current: typeof resource) => {
      const { id } = requireKey(current, path.key_id, now);
      return { ...current, keys: validKeys(current, now).filter((key) => key.id !== id) };
    };
    await updateRecord(application, resource, change, call, context);
    await context.seeded.dropEndedKey(resource);
    await reportKey('deleted', { id: path.key_id }, resource, call, context);
    return { status: 204, body: undefined };
  },
  async 'permissions.list'({ query }) {
    const { application_type: type } = query;
    const names = type === undefined ? PERMISSION_NAMES : permissionsOfType(type);
    const body = names.map((name) => ({
      type: name,
      description: PERMISSIONS[name].allows,
      application_types: [...PERMISSIONS[name].types],
    }));
    return { status: 200, body };
  },
} satisfies Partial<Handlers>;
