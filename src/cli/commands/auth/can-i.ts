import type { Application } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import { CliError } from '../../lib/errors.js';
import { parsePermissions, permissionsOf } from './keys.js';

/** Checks each permission with the key that its operations would use. */
export async function run({ permission: wanted }: { permission: string[] }, context: Context): Promise<void> {
  const { client, output } = context;
  const results = [];
  for (const permission of parsePermissions(wanted)) {
    const { body } = await client.request({ method: 'GET', path: '/applications/key', permission });
    const { name, type, ...access } = body as Application;
    results.push({ permission, allowed: permissionsOf(access).has(permission), application: name, type });
  }
  await output.list(results, {
    redaction: 'plain',
    columns: [
      { title: 'PERMISSION', field: 'permission', min: 20, importance: 3 },
      { title: 'ALLOWED', field: 'allowed', show: (allowed) => (allowed ? 'yes' : 'no'), importance: 2 },
      { title: 'APPLICATION', field: 'application', importance: 1 },
      { title: 'TYPE', field: 'type' },
    ],
  });
  const missing = results.filter(({ allowed }) => !allowed).map(({ permission }) => permission);
  if (missing.length > 0) throw new CliError('failed', `The key does not have ${missing.join(', ')}.`);
}
