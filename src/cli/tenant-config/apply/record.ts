import { type LockFile, readCode } from '../lock/lock-file.js';
import type { PlannedObject } from '../plan/plan.js';
import type { ApplicationIds } from '../resources/application-ids.js';
import type { Content, Kind, Stored } from '../resources/content.js';
import { hashFields, listFields } from '../resources/field.js';
import { type ObjectResult, preview, type RemoteState, toSkipped } from './result.js';

/** Returns the names of a configuration, each with the reference that provides its value, if one is known. Values are not recorded. */
const toReferences = ({ configuration = {} }: Content, references: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    Object.keys(configuration)
      .sort()
      .map((name) => [name, references[name] ?? null]),
  );

/** Records what an update replaces, unless it is recorded: an earlier version or a change made by hand, for a rollback. */
async function recordReplaced(
  { kind, id, content, createdAt, modifiedAt }: Stored,
  lock: LockFile,
  ids: ApplicationIds,
): Promise<void> {
  const { code, application = null } = content;
  if (code === undefined) return;
  const last = lock.find(id)?.versions?.at(-1);
  // The application may have another name since.
  const former = last?.application && !ids.has(last.application) ? last.application : application;
  if (last?.hash === hashFields(listFields(kind, { ...content, application: former }))) return;
  await lock.addVersion(id, code, {
    hash: hashFields(listFields(kind, content)),
    deployed_at: modifiedAt ?? createdAt,
    application,
    configuration: toReferences(content),
  });
}

const isRecorded = ({ kind, inManifest }: PlannedObject): boolean => inManifest && kind !== 'tenant';

/** Records what is about to be written: an apply that is killed leaves nothing that no record knows. */
export async function recordIntents(
  objects: readonly PlannedObject[],
  { lock, ids }: { lock: LockFile | undefined; ids: ApplicationIds },
): Promise<void> {
  if (!lock) return;
  for (const { kind, name, action, before } of objects.filter(isRecorded)) {
    if (action === 'create') lock.intend({ kind, name });
    if (action !== 'update' || !before) continue;
    lock.add({ kind, name: before.content.name, id: before.id, created: false });
    await recordReplaced(before, lock, ids);
  }
  await lock.save();
}

/** Records an object that was written, or withdraws the intent to create it. */
export function recordObject(
  planned: PlannedObject,
  id: string | undefined,
  remote: RemoteState,
  lock: LockFile | undefined,
): void {
  const { kind, name, before } = planned;
  if (!lock || !isRecorded(planned)) return;
  if (id !== undefined && (remote === 'written' || remote === 'unknown'))
    lock.add({ kind, name, id, created: !before });
  else if (remote !== 'unknown') lock.withdraw(planned);
}

/** Whether an unchanged reactor is the last recorded version: an apply that was killed may have stored one and not recorded it. */
async function isLastVersion({ desired, hash }: PlannedObject, id: string, lock: LockFile): Promise<boolean> {
  const record = lock.find(id);
  const last = record?.versions?.at(-1);
  if (!record || last?.hash === hash) return true;
  // The hash also changes with the name of the application, which is no version of the reactor.
  const code = last && (await readCode(lock.path, last.hash).catch(() => undefined));
  return code !== undefined && code === desired.code;
}

export async function recordVersion(
  planned: PlannedObject,
  id: string,
  { lock, commit }: { lock: LockFile | undefined; commit: string | undefined },
): Promise<void> {
  const { desired, inManifest, action, hash, references } = planned;
  if (!lock || !inManifest || desired.code === undefined) return;
  if (action === 'unchanged' && (await isLastVersion(planned, id, lock))) return;
  await lock.addVersion(id, desired.code, {
    hash,
    deployed_at: new Date().toISOString(),
    ...(commit !== undefined && { commit }),
    application: desired.application ?? null,
    configuration: toReferences(desired, references),
  });
}

export interface AdoptOptions {
  lock: LockFile;
  ids: ApplicationIds;
  readKeyId: (kind: Kind) => Promise<string | undefined>;
}

/** Records what the service has of an object, without changing it; `lock.save` writes it. Only what the key in use created may be pruned later. */
export async function adoptObject(
  planned: PlannedObject,
  { lock, ids, readKeyId }: AdoptOptions,
): Promise<ObjectResult> {
  const { kind, before, action } = planned;
  const expected = preview(planned);
  if (!before) return toSkipped(expected, 'the service has no such object');
  const { id, createdBy, content } = before;
  const created = createdBy !== undefined && createdBy === (await readKeyId(kind));
  lock.add({ kind, name: content.name, id, created });
  await recordReplaced(before, lock, ids);
  const notes = [
    lock.find(id)?.created ? 'recorded' : 'recorded; not created with this key, so never pruned',
    ...(action === 'update' ? ['differs from the manifest'] : []),
  ];
  return { ...expected, status: 'unchanged', changes: [], weakenings: [], note: notes.join('; ') };
}
