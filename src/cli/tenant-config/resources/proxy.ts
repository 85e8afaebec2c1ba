import { everyItem } from '../../../client/pages.js';
import type { OperationBody } from '../../../contract/schemas/index.js';
import { describeGainedIdentity } from './access.js';
import { type Adapter, unlessMissing } from './adapter.js';
import type { ApplicationIds } from './application-ids.js';
import type { ProxyContent, Stored } from './content.js';
import { configurationFields } from './field.js';

type StoredProxy = OperationBody<'proxies.get'>;

/** The key of a proxy is not among what a manifest sets, and is dropped here. */
function toStored(proxy: StoredProxy): Stored<'proxy'> {
  const { id, name, destination_url, configuration, application, require_auth } = proxy;
  const { request_transform, response_transform, created_at = '', created_by, modified_at } = proxy;
  const content: ProxyContent = {
    name,
    destination_url,
    request_transform: request_transform?.code ?? null,
    response_transform: response_transform?.code ?? null,
    configuration,
    application: application?.id ?? null,
    require_auth,
  };
  return {
    kind: 'proxy',
    id,
    content,
    createdAt: created_at,
    createdBy: created_by,
    modifiedAt: modified_at,
  };
}

function toBody(content: ProxyContent, ids: ApplicationIds) {
  const { name, destination_url, configuration, require_auth } = content;
  const { request_transform: request, response_transform: response, application } = content;
  return {
    name,
    destination_url,
    ...(request !== null && { request_transform: { code: request } }),
    ...(response !== null && { response_transform: { code: response } }),
    configuration,
    ...(application !== null && { application: { id: ids.toId(application) } }),
    require_auth,
  };
}

/** Returns scheme, host and port of a URL; the whole of what is not a URL. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

function describeRedirection(before: ProxyContent | undefined, after: ProxyContent): string[] {
  if (!before) return [];
  const [old, now] = [originOf(before.destination_url), originOf(after.destination_url)];
  return old === now ? [] : [`sends requests to ${now} instead of ${old}`];
}

export const proxyAdapter: Adapter<'proxy'> = {
  operations: {
    list: 'proxies.list',
    create: 'proxies.create',
    update: 'proxies.replace',
    remove: 'proxies.delete',
  },
  async *list(client, name) {
    // The filter of the service also matches parts of names.
    const proxies = everyItem<StoredProxy>((page, size) =>
      client.call('proxies.list', { query: { name, page, size } }),
    );
    for await (const proxy of proxies) if (name === undefined || proxy.name === name) yield toStored(proxy);
  },
  async get(client, id) {
    const found = await unlessMissing(client.call('proxies.get', { path: { id } }));
    return found && toStored(found);
  },
  create: async (client, content, ids) =>
    toStored(await client.call('proxies.create', { body: toBody(content, ids) })),
  async update(client, id, content, ids) {
    await client.call('proxies.replace', { path: { id }, body: toBody(content, ids) });
  },
  async remove(client, id) {
    await unlessMissing(client.call('proxies.delete', { path: { id } }));
  },
  fields: ({ configuration, request_transform, response_transform, ...content }) => [
    { name: 'name', value: content.name },
    { name: 'destination_url', value: content.destination_url },
    { name: 'request_transform', value: request_transform, show: 'code' },
    { name: 'response_transform', value: response_transform, show: 'code' },
    { name: 'application', value: content.application },
    { name: 'require_auth', value: content.require_auth },
    ...configurationFields(configuration),
  ],
  normalize: (content, ids) => ({
    ...content,
    application: content.application === null ? null : ids.toReference(content.application),
  }),
  application: ({ application }) => application ?? undefined,
  weakenings: (before, after, applications) => [
    ...(before?.require_auth !== false && !after.require_auth ? ['accepts requests without a key'] : []),
    ...describeRedirection(before, after),
    ...describeGainedIdentity(before, after, applications),
  ],
};
