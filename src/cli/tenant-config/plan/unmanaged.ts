import type { Client } from '../../../client/client.js';
import { NOUNS } from '../../../contract/resources.js';
import type { Stored } from '../resources/content.js';
import { listObjects, unlessMissing } from '../resources/objects.js';
import type { Plan } from './plan.js';

/** Returns a function that tells whether a plan is about a stored object: by ID, or by name where none was found. */
function isPlanned({ objects, deletions }: Plan) {
  const ids = new Set(
    [...objects, ...deletions].flatMap((one) => (one.action === 'fail' ? [] : [one.before?.id])),
  );
  const failed = objects.filter(({ action }) => action === 'fail');
  const names = new Set(
    failed.flatMap(({ kind, name, previousName }) => [`${kind} ${name}`, `${kind} ${previousName}`]),
  );
  return ({ kind, id, content }: Stored) => ids.has(id) || names.has(`${kind} ${content.name}`);
}

/**
 * Lists what the tenant has and the manifest does not declare.
 * @throws if a kind cannot be listed
 */
export async function listUnmanaged(client: Client, plan: Plan): Promise<Stored[]> {
  const planned = isPlanned(plan);
  const stored = await Promise.all(
    // None if the service does not have the kind.
    NOUNS.map(async (kind) => (await unlessMissing(listObjects(client, kind))) ?? []),
  );
  return stored.flat().filter((one) => !planned(one));
}
