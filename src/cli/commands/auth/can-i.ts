import { PERMISSION_NAMES, type Permission } from '../../../contract/permissions.js';
import type { Application } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import { CliError, usageError } from '../../lib/errors.js';
import { permissionsOf } from './keys.js';

/** Asks with the key that each permission's operations would use. */
export async function run({ permission: wanted }: { permission: string[] }, context: Context): Promise<void> {
  const { client, output } = context;
  const unknown = wanted.filter((name) => !PERMISSION_NAMES.includes(name as Permission));
  if (unknown.length > 0)
    throw usageError(
      `There is no permission ${unknown.join(', ')}.`,
      `There are: ${PERMISSION_NAMES.join(', ')}.`,
    );
  const answers = [];
  for (const permission of wanted as Permission[]) {
    const { body } = await client.request({ method: 'GET', path: '/applications/key', permission });
    const { name, type, ...access } = body as Application;
    answers.push({ permission, allowed: permissionsOf(access).has(permission), application: name, type });
  }
  await output.result(answers, {
    redaction: 'plain',
    columns: [
      { title: 'PERMISSION', field: 'permission' },
      { title: 'ALLOWED', field: 'allowed', show: (allowed) => (allowed ? 'yes' : 'no') },
      { title: 'APPLICATION', field: 'application' },
      { title: 'TYPE', field: 'type' },
    ],
  });
  const missing = answers.filter(({ allowed }) => !allowed).map(({ permission }) => permission);
  if (missing.length > 0) throw new CliError('failed', `The key lacks ${missing.join(', ')}.`);
}
