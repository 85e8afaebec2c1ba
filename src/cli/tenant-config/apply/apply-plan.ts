import pLimit from 'p-limit';
import { awaitingClient } from '../../../client/clean-up.js';
import { type Attempt, attempt, unwrap } from '../../lib/attempt.js';
import type { LockFile } from '../lock/lock-file.js';
import type { Plan, PlannedDeletion, PlannedObject } from '../plan/plan.js';
import { KINDS, type Kind } from '../resources/content.js';
import { removeObject } from '../resources/objects.js';
import { compareRemote, NEVER_ABORTED, readBack, type StoredObjects, verifyObject } from './read-back.js';
import { recordIntents, recordObject, recordVersion } from './record.js';
import { type ObjectResult, preview, type RemoteState, type SmokeResult, toSkipped } from './result.js';
import { testObject, type WriteOptions, writeObject } from './write-object.js';

interface ApplyOptions extends WriteOptions {
  lock: LockFile | undefined;
  concurrency: number;
  commit: string | undefined;
  onApplied?: (() => void) | undefined;
}

function blockedBy(
  { desired: { application } }: PlannedObject,
  failed: readonly ObjectResult[],
): string | undefined {
  return failed.some((result) => result.kind === 'application' && result.name === application)
    ? `the application ${application} failed`
    : undefined;
}

interface TriedObject {
  planned: PlannedObject;
  /** Whether a request may have changed it. */
  isSent: boolean;
  id: string | undefined;
  smoke: SmokeResult[];
  outcome: Attempt<void>;
}

/** Writes and tests an object. @param intents whether they are recorded */
async function tryObject(
  planned: PlannedObject,
  intents: Attempt<void>,
  options: ApplyOptions,
): Promise<TriedObject> {
  let id = planned.before?.id;
  let isSent = false;
  const smoke: SmokeResult[] = [];
  const outcome = await attempt(options.signal, async () => {
    unwrap(intents);
    isSent = planned.action !== 'unchanged';
    if (isSent) id = await writeObject(planned, options);
    if (id !== undefined) await testObject(planned, id, smoke, options);
  });
  return { planned, isSent, id, smoke, outcome };
}

/** Verifies and records an object. @param stored what the service has of the objects of the kind that were written */
async function completeObject(
  { planned, isSent, id, smoke, outcome }: TriedObject,
  stored: Attempt<StoredObjects>,
  options: ApplyOptions,
): Promise<ObjectResult> {
  const verified = await attempt(NEVER_ABORTED, async () => {
    unwrap(outcome);
    if (isSent && id !== undefined) await verifyObject(planned, id, unwrap(stored), options);
  });
  const read: RemoteState = stored.ok ? compareRemote(planned, id, stored.value) : 'unknown';
  const remote = isSent ? read : 'untouched';
  recordObject(planned, id, remote, options.lock);
  const recorded = await attempt(NEVER_ABORTED, async () => {
    unwrap(verified);
    if (id !== undefined) await recordVersion(planned, id, options);
  });
  const durationMs = planned.durationMs + outcome.durationMs + verified.durationMs;
  const tested = smoke.length > 0 && { smoke };
  if (recorded.ok) return { ...preview(planned), id, remote, verified: true, durationMs, ...tested };
  const failed = { ...planned, action: 'fail' as const, isLocal: false, durationMs, error: recorded.error };
  return { ...preview(failed), remote, ...tested };
}

/** Applies the objects of one kind: records what is about to happen, writes, and reads all of it back at once. */
async function applyKind(
  kind: Kind,
  planned: Plan['objects'],
  failed: readonly ObjectResult[],
  options: ApplyOptions,
): Promise<ObjectResult[]> {
  const { signal, concurrency, onApplied } = options;
  const limit = pLimit(concurrency);
  const ready = planned.flatMap((one) =>
    one.action === 'fail' || blockedBy(one, failed) !== undefined ? [] : [one],
  );
  const intents = await attempt(signal, () => recordIntents(ready, options));
  const tried = await limit.map(ready, (one) => tryObject(one, intents, options).finally(onApplied));
  const sent = tried.filter(({ isSent }) => isSent).map((one) => one.planned);
  const stored = await readBack(kind, sent, options);
  const completed = await limit.map(tried, (one) => completeObject(one, stored, options));
  return planned.map((one) => {
    if (one.action === 'fail') return preview(one);
    const result = completed[ready.indexOf(one)];
    return result ?? toSkipped(preview(one), blockedBy(one, failed) ?? '');
  });
}

async function applyDeletion(deletion: PlannedDeletion, options: ApplyOptions): Promise<ObjectResult> {
  const { client, lock, signal, onApplied } = options;
  const { kind, before } = deletion;
  const { id } = before;
  let remote: RemoteState = 'untouched';
  const { durationMs, ...outcome } = await attempt(signal, async () => {
    remote = 'unknown';
    await removeObject(awaitingClient(client), kind, id);
    remote = 'removed';
    lock?.remove([id]);
  });
  onApplied?.();
  const expected = { ...preview(deletion), remote, durationMs };
  return outcome.ok
    ? { ...expected, verified: true }
    : { ...expected, status: 'failed', error: outcome.error };
}

/** Returns the result of every object, skipped, because one of them is not valid. */
const skipAll = ({ objects, deletions }: Plan): ObjectResult[] =>
  [...objects, ...deletions].map((planned) =>
    planned.action === 'fail' ? preview(planned) : toSkipped(preview(planned), 'something else is not valid'),
  );

/** Whether nothing of a plan is applied because something in the files is not valid. */
export function isBlocked({ objects }: Plan, partial: boolean): boolean {
  return !partial && objects.some((planned) => planned.action === 'fail' && planned.isLocal);
}

/** Yields results kind by kind. A failure does not stop what is independent of it; deletions require none. The caller saves the lock file. */
export async function* applyPlan(
  plan: Plan,
  options: ApplyOptions,
  { partial }: { partial: boolean },
): AsyncGenerator<ObjectResult, void, void> {
  const { objects, deletions, forgotten } = plan;
  if (isBlocked(plan, partial)) return yield* skipAll(plan);
  options.lock?.remove(forgotten);
  const failed: ObjectResult[] = [];
  for (const kind of KINDS) {
    const ofKind = objects.filter((planned) => planned.kind === kind);
    const results = await applyKind(kind, ofKind, failed, options);
    failed.push(...results.filter(({ status }) => status === 'failed' || status === 'skipped'));
    yield* results;
  }
  const limit = pLimit(options.concurrency);
  for (const kind of KINDS.toReversed()) {
    const ofKind = deletions.filter((deletion) => deletion.kind === kind);
    const results =
      failed.length > 0
        ? ofKind.map((deletion) => toSkipped(preview(deletion), 'something else failed'))
        : await limit.map(ofKind, (deletion) => applyDeletion(deletion, options));
    failed.push(...results.filter(({ status }) => status === 'failed'));
    yield* results;
  }
}
