import type { Client } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import { RESOURCES } from '../../../contract/resources.js';
import { callResource } from '../../lib/call-resource.js';
import { CliError } from '../../lib/errors.js';
import { describeGainedAccess, describeGainedIdentity, describeUnlimitedAccess } from './access.js';
import type { Adapter } from './adapter-types.js';
import type { Contents, Kind, ProxyContent } from './content.js';
import type { Field } from './field.js';
import { createAdapter } from './resource-adapter.js';

/** The name of the tenant in plans: there is only one. */
export const TENANT = 'self';

const tenantAdapter: Adapter<'tenant'> = {
  operations: { list: 'tenants.get', update: 'tenants.update' },
  async *list(client) {
    const { id, name, settings, created_at = '', modified_at } = await client.call('tenants.get', {});
    const content = { name, settings };
    yield { kind: 'tenant', id, content, createdAt: created_at, modifiedAt: modified_at };
  },
  create: async () => {
    throw new CliError('failed', 'A tenant cannot be created with a key of another tenant.');
  },
  async update(client, _id, { name, settings }) {
    await client.call('tenants.update', { body: { name, settings } });
  },
  remove: async () => {
    throw new CliError('failed', 'The tenant itself is never deleted; see: tokenctl tenant delete');
  },
  fields: ({ name, settings }) => [
    { name: 'name', value: name },
    ...Object.entries(settings).map(([key, value]) => ({ name: `settings.${key}`, value })),
  ],
  normalize: (content) => content,
  application: () => undefined,
  weakenings: (before, { settings }) =>
    before?.settings.fingerprint_tokens === 'true' && settings.fingerprint_tokens === 'false'
      ? ['new tokens get no fingerprint']
      : [],
};

/** Creates an application without a key; a service that does not know `create_key` returns one, which is discarded. */
async function createWithoutKey(client: Client, body: object): Promise<unknown> {
  const create = (whole: object) => callResource(client, RESOURCES.application, 'create', { body: whole });
  try {
    return await create({ ...body, create_key: false });
  } catch (error) {
    const isUnknown = error instanceof ServiceError && error.problem.errors?.create_key !== undefined;
    if (!isUnknown) throw error;
    return create(body);
  }
}

/** Returns scheme, host and port of a URL; the whole of what is not a URL. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

function describeRedirection(before: ProxyContent | undefined, after: ProxyContent): string[] {
  if (!before) return [];
  const [old, now] = [originOf(before.destination_url), originOf(after.destination_url)];
  return old === now ? [] : [`sends requests to ${now} instead of ${old}`];
}

/** The adapter of every kind: what the table of resources does not say of it. A new kind is a row here and in `Contents`. */
export const ADAPTERS: { readonly [K in Kind]: Adapter<K> } = {
  application: createAdapter('application', {
    send: createWithoutKey,
    weakenings: (before, after) =>
      before ? describeGainedAccess(before, after) : describeUnlimitedAccess(after),
  }),
  reactor: createAdapter('reactor', { weakenings: describeGainedIdentity }),
  proxy: createAdapter('proxy', {
    weakenings: (before, after, applications) => [
      ...(before?.require_auth !== false && !after.require_auth ? ['accepts requests without a key'] : []),
      ...describeRedirection(before, after),
      ...describeGainedIdentity(before, after, applications),
    ],
  }),
  webhook: createAdapter('webhook', { weakenings: () => [] }),
  tenant: tenantAdapter,
};

/** Lists the values of an object that plans compare. */
export function listFields<K extends Kind>(kind: K, content: Contents[K]): Field[] {
  return ADAPTERS[kind].fields(content);
}
