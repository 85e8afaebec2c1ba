import type { Client } from '../../../client/client.js';
import type { Plan } from '../plan/plan.js';
import { KINDS, type Kind, type Stored } from '../resources/content.js';
import { listObjects, unlessMissing } from '../resources/objects.js';
import { type ObjectResult, toResult } from './result.js';

/** Lists the objects of a kind; none if the service does not have the kind. */
const listKind = async (client: Client, kind: Kind): Promise<Stored[]> =>
  (await unlessMissing(listObjects(client, kind))) ?? [];

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
export async function listUnmanaged(client: Client, plan: Plan): Promise<ObjectResult[]> {
  const planned = isPlanned(plan);
  const kinds = KINDS.filter((kind) => kind !== 'tenant');
  const stored = (await Promise.all(kinds.map((kind) => listKind(client, kind)))).flat();
  return stored
    .filter((one) => !planned(one))
    .map(({ kind, id, content: { name } }) => toResult({ kind, name, id, status: 'unmanaged' }));
}
