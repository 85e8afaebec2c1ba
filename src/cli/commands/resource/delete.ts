import type { Resource } from '../../../contract/resources.js';
import type { Context } from '../../command.js';
import { callResource } from '../../lib/call-resource.js';
import { resolveId } from '../../lib/lookup.js';
import { forEachId, throwFailures } from '../shared/batch.js';
import { confirmDeletion } from '../shared/confirm.js';
import type { ResourceOptions } from './body.js';

/** Deletes one object or several, once that is confirmed. The failure of one does not stop the others. */
export async function remove(resource: Resource, options: ResourceOptions, context: Context): Promise<void> {
  const references = [options[resource.noun] as string | string[]].flat();
  await confirmDeletion(describeReferences(resource, references), context);
  await deleteEach(resource, references, context);
}

/** Describes what is deleted: `proxy processor`, `3 proxies`. */
export function describeReferences({ noun, collection }: Resource, references: readonly string[]): string {
  return references.length === 1 ? `${noun} ${references[0]}` : `${references.length} ${collection}`;
}

/**
 * Deletes objects without a question.
 * @param ids of the references that are resolved already
 * @throws the error of the only one, or one error for all that failed
 */
export async function deleteEach(
  resource: Resource,
  references: readonly string[],
  { client, output, signal }: Context,
  ids: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const { noun, collection, deletion } = resource;
  const deleteOne = async (reference: string) => {
    const id = ids.get(reference) ?? (await resolveId(client, noun, reference));
    await callResource(client, resource, 'delete', { path: { id } });
    output.notice([`Deleted ${noun} ${reference}.`, deletion].filter(Boolean).join(' '));
  };
  const [only] = references;
  if (only !== undefined && references.length === 1) return deleteOne(only);
  const { failures } = await forEachId(references, signal, deleteOne);
  throwFailures(failures, references.length, collection);
}
