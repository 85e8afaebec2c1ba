import { isObject } from '../../../contract/json.js';
import type { Context } from '../../command.js';
import type { View } from '../../output/view.js';
import { EntityNames } from './entity-names.js';

const FIELDS = ['created_by', 'modified_by'] as const;

/**
 * Adds to the ids in `created_by` and `modified_by` the name of the application or reactor, for a table: `<id> (support)`.
 * JSON keeps the shape of the API. Ids without a readable name stay as they are.
 */
async function withActorNames(item: unknown, { client, output }: Context): Promise<unknown> {
  const { mode, jq } = output.settings;
  if (mode !== 'table' || jq !== undefined || !isObject(item)) return item;
  const actors = FIELDS.flatMap((field): [string, string][] => {
    const id = item[field];
    return typeof id === 'string' ? [[field, id]] : [];
  });
  const names = new EntityNames(client);
  // What was written is printed even if the names cannot be read.
  await names.load(actors.map(([, id]) => ({ type: undefined, id }))).catch(() => {});
  const labels = actors.map(([field, id]) => {
    const name = names.nameOf(id);
    return [field, name === id ? id : `${id} (${name})`];
  });
  return { ...item, ...Object.fromEntries(labels) };
}

/** Prints an object of the service, on a terminal with the names of who created and modified it. */
export async function printItem(item: unknown, view: View, context: Context): Promise<void> {
  await context.output.result(await withActorNames(item, context), view);
}
