import type { Client } from '../../../client/client.js';
import { NOUNS } from '../../../contract/resources.js';
import { unlessStatus } from '../../lib/key-owner.js';
import type { Declared } from '../declaration/declare.js';
import type { Stored } from '../resources/content.js';
import { listObjects } from '../resources/objects.js';
import type { Plan } from './plan.js';

type Names = readonly Pick<Declared, 'kind' | 'name' | 'previousName'>[];

/** Tells whether the manifest declares a stored object, or a plan is about it: by ID, or by name where none was found. */
function isManaged({ objects, deletions }: Plan, declared: Names) {
  const ids = new Set(
    [...objects, ...deletions].flatMap((one) => (one.action === 'fail' ? [] : [one.before?.id])),
  );
  const isFound = new Set(
    objects.filter(({ action }) => action !== 'fail').map(({ kind, name }) => `${kind} ${name}`),
  );
  const others = declared.filter(({ kind, name }) => !isFound.has(`${kind} ${name}`));
  const names = new Set(
    others.flatMap(({ kind, name, previousName }) => [`${kind} ${name}`, `${kind} ${previousName}`]),
  );
  return ({ kind, id, content }: Stored) => ids.has(id) || names.has(`${kind} ${content.name}`);
}

export async function listUnmanaged(client: Client, plan: Plan, declared: Names): Promise<Stored[]> {
  const managed = isManaged(plan, declared);
  const stored = await Promise.all(
    // None if the service does not have the kind.
    NOUNS.map(async (kind) => (await unlessStatus([404], listObjects(client, kind))) ?? []),
  );
  return stored.flat().filter((one) => !managed(one));
}
