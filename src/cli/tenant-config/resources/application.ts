import type { Client } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import { everyItem } from '../../../client/pages.js';
import type { AccessRule, Application } from '../../../contract/schemas/index.js';
import { describeGainedAccess, describeUnlimitedAccess } from './access.js';
import { type Adapter, unlessMissing } from './adapter.js';
import type { ApplicationContent, Stored } from './content.js';
import type { Field } from './field.js';

function toStored({ id, name, type, permissions, rules, ...times }: Application): Stored<'application'> {
  const content = { name, type, ...(rules ? { rules } : { permissions: permissions ?? [] }) };
  const { created_at = '', created_by, modified_at } = times;
  return {
    kind: 'application',
    id,
    content,
    createdAt: created_at,
    createdBy: created_by,
    modifiedAt: modified_at,
  };
}

const toAccess = ({ permissions, rules }: ApplicationContent) =>
  rules ? { rules } : { permissions: permissions ?? [] };

/** Creates an application without a key; a service that does not know `create_key` returns one, which is discarded. */
async function createWithoutKey(client: Client, content: ApplicationContent): Promise<Application> {
  const { name, type } = content;
  const body = { name, type, ...toAccess(content) };
  try {
    return await client.call('applications.create', { body: { ...body, create_key: false } });
  } catch (error) {
    const isUnknown = error instanceof ServiceError && error.problem.errors?.create_key !== undefined;
    if (!isUnknown) throw error;
    return client.call('applications.create', { body });
  }
}

/** Rules have no names: one is identified by what it applies to, and by its position among equal ones. */
function ruleFields(rules: readonly AccessRule[]): Field[] {
  const counts = new Map<string, number>();
  const fields: Field[] = rules.map(({ priority, container, description, transform, permissions }) => {
    const key = `${priority} ${container}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return {
      name: `rules[${key}${count > 1 ? ` ${count}` : ''}]`,
      value: { transform, permissions: [...permissions].sort(), ...(description && { description }) },
    };
  });
  // Of rules with the same priority, the order decides.
  const priorities = new Set(rules.map(({ priority }) => priority));
  if (priorities.size === rules.length) return fields;
  const order = [...rules].sort((one, other) => one.priority - other.priority);
  return [...fields, { name: 'rules.order', value: order.map(({ container }) => container) }];
}

export const applicationAdapter: Adapter<'application'> = {
  operations: {
    list: 'applications.list',
    create: 'applications.create',
    update: 'applications.update',
    remove: 'applications.delete',
  },
  async *list(client, name) {
    const applications = everyItem<Application>((page, size) =>
      client.call('applications.list', { query: { page, size } }),
    );
    for await (const application of applications)
      if (name === undefined || application.name === name) yield toStored(application);
  },
  async get(client, id) {
    const found = await unlessMissing(client.call('applications.get', { path: { id } }));
    return found && toStored(found);
  },
  create: async (client, content) => toStored(await createWithoutKey(client, content)),
  async update(client, id, content) {
    await client.call('applications.update', {
      path: { id },
      body: { name: content.name, ...toAccess(content) },
    });
  },
  async remove(client, id) {
    await unlessMissing(client.call('applications.delete', { path: { id } }));
  },
  fields: ({ name, type, permissions = [], rules = [] }) => [
    { name: 'name', value: name },
    { name: 'type', value: type },
    ...[...permissions]
      .sort()
      .map((permission): Field => ({ name: `permissions.${permission}`, value: true, show: 'presence' })),
    ...ruleFields(rules),
  ],
  normalize: (content) => content,
  application: () => undefined,
  weakenings: (before, after) =>
    before ? describeGainedAccess(before, after) : describeUnlimitedAccess(after),
};
