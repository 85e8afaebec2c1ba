import type { LockFile } from '../lock/lock-file.js';
import { readCode } from '../lock/version-code.js';
import type { PlannedObject } from '../plan/plan.js';
import { ADAPTERS, listFields } from '../resources/adapters.js';
import type { ApplicationIds } from '../resources/application-ids.js';
import type { Contents, Kind, Stored } from '../resources/content.js';
import { hashFields } from '../resources/field.js';

/**
 * Records the version that an update replaces, unless it is the last one recorded: the one before the first of this manifest, or a
 * change that was made by hand. A rollback can return to it. Returns whether it was recorded.
 */
export async function recordReplaced(
  { kind, id, content: stored, ...times }: Stored<Kind>,
  lock: LockFile,
  ids: ApplicationIds,
): Promise<boolean> {
  const content: Contents[Kind] = ADAPTERS[kind].normalize(stored as never, ids);
  if (!('code' in content)) return false;
  const { code, application, configuration } = content;
  const last = lock.find(id)?.versions?.at(-1);
  // The application may have another name since.
  const former = last?.application && !ids.has(last.application) ? last.application : application;
  if (last?.hash === hashFields(listFields(kind, { ...content, application: former }))) return false;
  await lock.addVersion(id, code, {
    hash: hashFields(listFields(kind, content)),
    deployed_at: times.modifiedAt ?? times.createdAt,
    application,
    configuration: Object.fromEntries(
      Object.keys(configuration)
        .sort()
        .map((name) => [name, null]),
    ),
  });
  return true;
}

/** Records the version of a reactor that was just stored. References are recorded as they are written, values never. */
export async function recordVersion(
  { desired, inManifest, hash, references }: PlannedObject,
  id: string,
  { lock, commit }: { lock: LockFile | undefined; commit: string | undefined },
): Promise<void> {
  if (!lock || !inManifest || !('code' in desired)) return;
  const { code, application, configuration } = desired;
  const names = Object.keys(configuration).sort();
  await lock.addVersion(id, code, {
    hash,
    deployed_at: new Date().toISOString(),
    ...(commit !== undefined && { commit }),
    application,
    configuration: Object.fromEntries(names.map((name) => [name, references[name] ?? null])),
  });
}

/** Records the version of an unchanged reactor that an interrupted apply has stored and not recorded. */
export async function recordMissingVersion(
  planned: PlannedObject,
  id: string,
  options: { lock: LockFile | undefined; commit: string | undefined },
): Promise<void> {
  const { lock } = options;
  const last = lock?.find(id)?.versions?.at(-1);
  if (!lock?.find(id) || !('code' in planned.desired) || last?.hash === planned.hash) return;
  // The hash also changes with the name of the application, which is no version of the reactor.
  const code = last && (await readCode(lock.path, last.hash).catch(() => undefined));
  if (last && code === planned.desired.code) return;
  await recordVersion(planned, id, options);
}
