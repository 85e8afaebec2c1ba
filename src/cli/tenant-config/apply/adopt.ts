import type { LockFile } from '../lock/lock-file.js';
import type { PlannedObject } from '../plan/plan.js';
import type { ApplicationIds } from '../resources/application-ids.js';
import type { Kind } from '../resources/content.js';
import { previewObject, toSkipped } from './preview.js';
import { recordReplaced } from './record.js';
import type { ObjectResult } from './result.js';

export interface AdoptOptions {
  lock: LockFile;
  ids: ApplicationIds;
  /** Returns the ID of the application whose key manages a kind. */
  readKeyId: (kind: Kind) => Promise<string | undefined>;
}

/** Records what the service has of an object, without changing it; `lock.save` writes it. Only what the key in use created may be pruned later. */
export async function adoptObject(
  planned: PlannedObject,
  { lock, ids, readKeyId }: AdoptOptions,
): Promise<ObjectResult> {
  const { kind, before, action } = planned;
  const expected = previewObject(planned);
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
