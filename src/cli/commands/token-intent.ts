import type { Context } from '../command.js';
import { rejectPlaceholder } from '../lib/placeholder.js';
import type { View } from '../output/view.js';
import { deleteEach, describeReferences, printEach } from './shared/batch.js';
import { confirmDeletion } from './shared/confirm.js';
import { printWritten } from './shared/entity-names.js';
import { type TypeOptions, typeAndData } from './token/write.js';

const NAMES = { noun: 'token intent', collection: 'token intents' };

const VIEW: View = {
  redaction: 'tokens',
  columns: [
    { title: 'ID', field: 'id', format: 'id', importance: 3 },
    { title: 'TYPE', field: 'type', importance: 2 },
    { title: 'EXPIRES', field: 'expires_at', format: 'time', importance: 1 },
  ],
  empty: 'No token intents.',
};

export async function createTokenIntent(options: TypeOptions, context: Context): Promise<void> {
  const body = await typeAndData(options, context);
  rejectPlaceholder(body);
  const created = await context.client.call('tokenIntents.create', { body });
  await printWritten(created, 'token-intent', VIEW, context);
}

export async function getTokenIntents({ id: ids }: { id: string[] }, context: Context): Promise<void> {
  const get = (id: string) => context.client.call('tokenIntents.get', { path: { id } });
  await printEach(ids, get, { view: VIEW, what: NAMES.collection }, context);
}

export async function deleteTokenIntents({ id: ids }: { id: string[] }, context: Context): Promise<void> {
  await confirmDeletion(describeReferences(NAMES, ids), context);
  const remove = (id: string) => context.client.call('tokenIntents.delete', { path: { id } });
  await deleteEach(NAMES, ids, remove, context);
}
