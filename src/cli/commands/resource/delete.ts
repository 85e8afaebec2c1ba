import type { Resource } from '../../../contract/resources.js';
import type { Context } from '../../command.js';
import { callResource, resolveId } from '../../lib/lookup.js';
import { deleteEach, describeReferences } from '../shared/batch.js';
import { confirmDeletion } from '../shared/confirm.js';
import type { ResourceOptions } from './body.js';

/** Deletes one object or several, once that is confirmed. The failure of one does not stop the others. */
export async function remove(resource: Resource, options: ResourceOptions, context: Context): Promise<void> {
  const references = [options[resource.noun] as string | string[]].flat();
  await confirmDeletion(describeReferences(resource, references), context);
  await removeEach(resource, references, context);
}

/** Deletes objects without a question. @param ids of the references that are resolved already */
export async function removeEach(
  resource: Resource,
  references: readonly string[],
  context: Context,
  ids: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const { client } = context;
  const removeOne = async (reference: string) => {
    const id = ids.get(reference) ?? (await resolveId(client, resource.noun, reference));
    await callResource(client, resource, 'delete', { path: { id } });
  };
  await deleteEach(resource, references, removeOne, context);
}
