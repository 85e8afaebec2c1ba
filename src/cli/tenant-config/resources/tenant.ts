import { CliError } from '../../lib/errors.js';
import type { Adapter } from './adapter-types.js';

/** The name of the tenant in plans: there is only one. */
export const TENANT = 'self';

export const tenantAdapter: Adapter<'tenant'> = {
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
