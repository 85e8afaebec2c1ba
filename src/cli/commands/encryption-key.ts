import type { Context } from '../command.js';
import type { View } from '../output/view.js';
import { confirmDeletion } from './shared/confirm.js';
import { toExpiry } from './shared/flag-values.js';

const VIEW: View = {
  redaction: 'plain',
  columns: [
    { title: 'ID', field: 'key_id', format: 'id', importance: 1 },
    { title: 'EXPIRES', field: 'expires_at', format: 'time' },
  ],
  empty: 'No keys.',
};

export async function createKey(
  { expires }: { expires?: string | undefined },
  { client, output }: Context,
): Promise<void> {
  const body = expires === undefined ? {} : { expires_at: toExpiry(expires) };
  await output.result(await client.call('keys.create', { body }), VIEW);
}

export async function listKeys(_options: object, { client, output }: Context): Promise<void> {
  await output.list(await client.call('keys.list'), VIEW);
}

export async function getKey(path: { id: string }, { client, output }: Context): Promise<void> {
  await output.result(await client.call('keys.get', { path }), VIEW);
}

export async function deleteKey({ id }: { id: string }, context: Context): Promise<void> {
  await confirmDeletion(`the key ${id}`, context);
  await context.client.call('keys.delete', { path: { id } });
  context.output.notice(`Deleted the key ${id}. Data encrypted with it is refused from now on.`);
}
