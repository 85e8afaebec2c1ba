import type { Context } from '../../command.js';
import type { Options } from '../../flags/flag.js';
import { usageError } from '../../lib/errors.js';
import { readApplications, resolveId } from '../../lib/lookup.js';
import type { Column } from '../../output/table.js';
import { showTime } from '../../output/times.js';
import type { View } from '../../output/view.js';
import { confirmDeletion } from '../shared/confirm.js';
import { printItem } from '../shared/entity-names.js';
import { toExpiry } from '../shared/flag-values.js';
import { type ConfirmOption, confirmOwnKeyEnd } from '../shared/lock-out.js';

export const KEY_VIEW = {
  redaction: 'plain',
  columns: [
    { title: 'ID', field: 'id', format: 'id', importance: 2 },
    { title: 'NAME', field: 'name' },
    { title: 'ENDS IN', field: 'last4', importance: 3 },
    { title: 'CREATED', field: 'created_at', format: 'time', importance: 1 },
    { title: 'LAST USED', field: 'last_used_at', format: 'time' },
    { title: 'EXPIRES', field: 'expires_at', format: 'time' },
  ],
  empty: 'No keys.',
} satisfies View;

const APPLICATION: Column = {
  title: 'APPLICATION',
  field: 'application',
  show: (application) => (application as { name: string }).name,
};

export async function listKeys(
  { application }: { application?: string | undefined },
  { client, output }: Context,
): Promise<void> {
  if (application === undefined) {
    const columns = [APPLICATION, ...KEY_VIEW.columns];
    return output.list(await keysOfAll(client), { ...KEY_VIEW, columns });
  }
  const id = await resolveId(client, 'application', application);
  await output.list(await client.call('applications.keys.list', { path: { id } }), KEY_VIEW);
}

async function keysOfAll(client: Context['client']) {
  const found = [];
  for (const { id, name, type } of await readApplications(client))
    for (const key of await client.call('applications.keys.list', { path: { id } }))
      found.push({ application: { id, name, type }, ...key });
  return found;
}

type KeyOptions = { application: string } & Options<'name' | 'expires'>;

export async function createKey({ application, name, expires }: KeyOptions, context: Context): Promise<void> {
  const { client } = context;
  const id = await resolveId(client, 'application', application);
  const body = { name, expires_at: expires === undefined ? undefined : toExpiry(expires) };
  const key = await client.call('applications.keys.create', { path: { id }, body });
  await printWithKey(key, 'Store the key now; it is shown only once.', KEY_VIEW, context);
}

export async function updateKey(
  options: KeyOptions & ConfirmOption & { keyId: string },
  context: Context,
): Promise<void> {
  const { client, output } = context;
  const { application, keyId, expires, name, confirm } = options;
  if (expires === undefined && name === undefined)
    throw usageError('Nothing to update.', 'Give --expires or --name.');
  const path = { id: await resolveId(client, 'application', application), key_id: keyId };
  const current = await client.call('applications.keys.get', { path });
  if (expires !== undefined && expires !== 'never')
    await confirmOwnKeyEnd(path, confirm, context, `at its expiry (${expires})`);
  const expires_at =
    expires === undefined ? (current.expires_at ?? null) : expires === 'never' ? null : toExpiry(expires);
  const body = { expires_at, name };
  await output.result(await client.call('applications.keys.update', { path, body }), KEY_VIEW);
}

export async function deleteKey(
  { application, keyId, confirm }: ConfirmOption & { application: string; keyId: string },
  context: Context,
): Promise<void> {
  const { client, output } = context;
  const id = await resolveId(client, 'application', application);
  const path = { id, key_id: keyId };
  const { created_at } = await client.call('applications.keys.get', { path });
  if (!(await confirmOwnKeyEnd(path, confirm, context)))
    await confirmDeletion(`the key ${keyId} of ${application}, created ${showTime(created_at)}`, context);
  await client.call('applications.keys.delete', { path });
  output.notice(`Deleted the key ${keyId}. It no longer works.`);
}

/** Prints an object with a new key, which is shown only once, so that no choice of fields leaves it out. */
export async function printWithKey(
  object: { key?: string | undefined },
  notice: string,
  view: View,
  context: Context,
): Promise<void> {
  const { output } = context;
  await printItem(object, { ...view, always: ['key'] }, context);
  if (await isLost(object, output.settings.jq))
    output.warn(`The --jq filter omits the key, which is shown only once: ${object.key}`);
  else output.notice(notice);
}

async function isLost(object: { key?: string | undefined }, jq: string | undefined): Promise<boolean> {
  if (jq === undefined || object.key === undefined) return false;
  const { filterWithJq } = await import('../../output/jq.js');
  return !(await filterWithJq(object, jq, { compact: true })).includes(object.key);
}
