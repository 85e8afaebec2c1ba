import { cleanUpClient } from '../../../client/clean-up.js';
import { type Attempt, attempt } from '../../lib/attempt.js';
import { CliError } from '../../lib/errors.js';
import type { PlannedObject } from '../plan/plan.js';
import { fingerprintStored } from '../plan/plan-file.js';
import type { Content, Kind, Stored } from '../resources/content.js';
import { compareFields, listFields } from '../resources/field.js';
import { listNamed, removeObject } from '../resources/objects.js';
import type { RemoteState } from './result.js';
import type { WriteOptions } from './write-object.js';

export type StoredObjects = Map<string, Stored>;

/** What a step that Ctrl-C does not end listens to. */
export const NEVER_ABORTED = new AbortController().signal;

const CHANGED_HINT = 'Someone else may be applying changes at the same time. Apply again.';

/** Reads the objects of a kind that were written; after Ctrl-C as well, so that the report says what became of them. */
export function readBack(
  kind: Kind,
  written: readonly PlannedObject[],
  { client, ids, signal }: WriteOptions,
): Promise<Attempt<StoredObjects>> {
  const names = written.flatMap(({ desired, before }) => [
    desired.name,
    before?.content.name ?? desired.name,
  ]);
  const reader = signal.aborted ? cleanUpClient(client) : client;
  return attempt(NEVER_ABORTED, async () => {
    const stored = await listNamed(reader, kind, new Set(names));
    return new Map(stored.map((one) => [one.id, ids.withName(one)]));
  });
}

const listDifferences = ({ kind, content: stored }: Stored, content: Content): string[] =>
  compareFields(listFields(kind, content), listFields(kind, stored)).map(({ field }) => field);

const age = (one: Stored): string => `${one.createdAt} ${one.id}`;

/** Finds what another apply created under the name of a new object, before it. That apply, which finds no older one, keeps its own. */
function findRival({ before, name }: PlannedObject, id: string, stored: StoredObjects) {
  if (before) return undefined;
  const named = [...stored.values()].filter(({ content }) => content.name === name);
  const [oldest] = named.sort((one, other) => (age(one) < age(other) ? -1 : 1));
  return oldest?.id === id ? undefined : oldest;
}

/** Checks that the service has what was sent, and removes a new object that has a rival. */
export async function verifyObject(
  planned: PlannedObject,
  id: string,
  stored: StoredObjects,
  { client, signal }: WriteOptions,
): Promise<void> {
  const { kind, name, desired } = planned;
  const now = stored.get(id);
  if (!now)
    throw new CliError('failed', `The ${kind} was deleted while it was applied.`, { hint: CHANGED_HINT });
  const differences = listDifferences(now, desired);
  if (differences.length > 0)
    throw new CliError(
      'failed',
      `The stored ${kind} differs from what was sent: ${differences.join(', ')}.`,
      { hint: CHANGED_HINT },
    );
  const rival = findRival(planned, id, stored);
  if (!rival) return;
  await removeObject(cleanUpClient(client, signal.aborted), kind, id);
  stored.delete(id);
  throw new CliError(
    'failed',
    `Another ${kind} named ${JSON.stringify(name)} was created at the same time: ${rival.id}. The one of this apply was removed.`,
    { hint: CHANGED_HINT },
  );
}

/** Tells what the service has of an object that was sent, compared with before. @param id undefined if none was returned */
export function compareRemote(
  { name, before, desired }: PlannedObject,
  id: string | undefined,
  stored: StoredObjects,
): RemoteState {
  const now = id === undefined ? undefined : stored.get(id);
  if (!before) {
    if (now) return 'written';
    if (id !== undefined) return 'removed';
    return [...stored.values()].some(({ content }) => content.name === name) ? 'unknown' : 'untouched';
  }
  if (!now) return 'unknown';
  if (listDifferences(now, desired).length === 0) return 'written';
  if (fingerprintStored(now) === fingerprintStored(before)) return 'untouched';
  return listDifferences(now, before.content).length === 0 ? 'restored' : 'unknown';
}
