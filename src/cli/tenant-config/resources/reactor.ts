import { everyItem } from '../../../client/pages.js';
import type { Reactor } from '../../../contract/schemas/index.js';
import { describeGainedIdentity } from './access.js';
import { type Adapter, unlessMissing } from './adapter.js';
import type { ApplicationIds } from './application-ids.js';
import type { ReactorContent, Stored } from './content.js';
import { configurationFields } from './field.js';

function toStored({ id, name, code, configuration, application, ...times }: Reactor): Stored<'reactor'> {
  const content = { name, code, configuration, application: application?.id ?? null };
  const { created_at = '', created_by, modified_at } = times;
  return {
    kind: 'reactor',
    id,
    content,
    createdAt: created_at,
    createdBy: created_by,
    modifiedAt: modified_at,
  };
}

const toBody = ({ name, code, configuration, application }: ReactorContent, ids: ApplicationIds) => ({
  name,
  code,
  configuration,
  ...(application !== null && { application: { id: ids.toId(application) } }),
});

export const reactorAdapter: Adapter<'reactor'> = {
  operations: {
    list: 'reactors.list',
    create: 'reactors.create',
    update: 'reactors.replace',
    remove: 'reactors.delete',
  },
  async *list(client, name) {
    // The filter of the service also matches parts of names.
    const reactors = everyItem<Reactor>((page, size) =>
      client.call('reactors.list', { query: { name, page, size } }),
    );
    for await (const reactor of reactors)
      if (name === undefined || reactor.name === name) yield toStored(reactor);
  },
  async get(client, id) {
    const found = await unlessMissing(client.call('reactors.get', { path: { id } }));
    return found && toStored(found);
  },
  create: async (client, content, ids) =>
    toStored(await client.call('reactors.create', { body: toBody(content, ids) })),
  async update(client, id, content, ids) {
    await client.call('reactors.replace', { path: { id }, body: toBody(content, ids) });
  },
  async remove(client, id) {
    await unlessMissing(client.call('reactors.delete', { path: { id } }));
  },
  fields: ({ name, code, configuration, application }) => [
    { name: 'name', value: name },
    { name: 'code', value: code, show: 'code' },
    { name: 'application', value: application },
    ...configurationFields(configuration),
  ],
  normalize: (content, ids) => ({
    ...content,
    application: content.application === null ? null : ids.toReference(content.application),
  }),
  application: ({ application }) => application ?? undefined,
  weakenings: describeGainedIdentity,
};
