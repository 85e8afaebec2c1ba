import pLimit, { type LimitFunction } from 'p-limit';
import { awaitingClient } from '../../../client/clean-up.js';
import { type Attempt, attempt, unwrap } from '../../lib/attempt.js';
import type { FailedObject, Plan, PlannedDeletion, PlannedObject } from '../plan/plan.js';
import { FEW_OBJECTS, listObjects, readObjects } from '../plan/remote.js';
import { ADAPTERS } from '../resources/adapters.js';
import { KINDS, type Kind } from '../resources/content.js';
import { type ApplyOptions, applyObject, type ReadTogether, readBack } from './apply-object.js';
import { previewDeletion, previewObject, toFailedResult, toSkipped } from './preview.js';
import { RemoteStateTracker } from './remote-state.js';
import type { ObjectResult } from './result.js';

/** Completes the result of a successful step, or turns it into that of a failed one. */
function completeResult(
  expected: ObjectResult,
  outcome: Attempt<string>,
  { state: remote }: RemoteStateTracker,
): ObjectResult {
  const durationMs = expected.durationMs + outcome.durationMs;
  if (outcome.ok) return { ...expected, id: outcome.value, remote, verified: true, durationMs };
  const { kind, name, file } = expected;
  const id = expected.status === 'deleted' ? expected.id : undefined;
  const { error } = outcome;
  return {
    ...{ kind, name, file, id, status: 'failed', remote, verified: false },
    ...{ changes: [], weakenings: [], durationMs, error },
  };
}

/** Returns why an object cannot be applied: the application that it refers to failed. */
function blockedBy<K extends Kind>(
  { kind, desired }: PlannedObject<K>,
  failed: readonly ObjectResult[],
): string | undefined {
  const application = ADAPTERS[kind].application(desired);
  return failed.some((result) => result.kind === 'application' && result.name === application)
    ? `the application ${application} failed`
    : undefined;
}

/** An object that was tried, or that cannot be. */
interface Tried {
  /** The result of success, or the only one. */
  expected: ObjectResult;
  /** undefined for an object that was not tried. */
  written?: { planned: PlannedObject; tracker: RemoteStateTracker; outcome: Attempt<string> };
}

async function applyEntry(
  planned: PlannedObject | FailedObject,
  failed: readonly ObjectResult[],
  options: ApplyOptions,
  together: ReadTogether | undefined,
): Promise<Tried> {
  if (planned.action === 'fail') return { expected: toFailedResult(planned) };
  const expected = previewObject(planned);
  const reason = blockedBy(planned, failed);
  if (reason !== undefined) return { expected: toSkipped(expected, reason) };
  const tracker = new RemoteStateTracker();
  const outcome = await attempt(options.signal, () => applyObject(planned, tracker, options, together));
  const isIntended = planned.action === 'create' && planned.inManifest;
  if (isIntended && tracker.state === 'untouched') options.lock?.withdraw(planned);
  return { expected, written: { planned, tracker, outcome } };
}

const toResult = ({ expected, written }: Tried): ObjectResult =>
  written ? completeResult(expected, written.outcome, written.tracker) : expected;

/** Reads many objects of a kind back with one list. */
async function* readBackTogether(
  kind: Kind,
  all: readonly Tried[],
  limit: LimitFunction,
  options: ApplyOptions,
): AsyncGenerator<ObjectResult, void, void> {
  const { client, signal } = options;
  const listed = await attempt(signal, () => listObjects<Kind>(client, kind));
  const check = async (tried: Tried): Promise<Tried> => {
    const { expected, written } = tried;
    if (!written?.outcome.ok || written.planned.action === 'unchanged') return tried;
    const { planned, tracker, outcome } = written;
    const { value: id } = outcome;
    const checked = await attempt(signal, () => readBack(planned, id, tracker, options, unwrap(listed)));
    return checked.ok ? tried : { expected, written: { planned, tracker, outcome: checked } };
  };
  for (const pending of all.map((tried) => limit(() => check(tried)))) yield toResult(await pending);
}

/** Applies the objects of one kind. Many are read together, before the first write and after the last. */
async function* applyKind(
  kind: Kind,
  objects: Plan['objects'],
  failed: readonly ObjectResult[],
  limit: LimitFunction,
  options: ApplyOptions,
): AsyncGenerator<ObjectResult, void, void> {
  const { client, lock, signal, onApplied } = options;
  const updated = objects.flatMap((one) => (one.action === 'update' && one.before ? [one.before.id] : []));
  const created = objects.flatMap((one) => (one.action === 'create' ? [one] : []));
  const together =
    updated.length + created.length > FEW_OBJECTS
      ? await attempt(signal, () => readObjects<Kind>(client, kind, updated))
      : undefined;
  for (const planned of created)
    if (planned.inManifest && blockedBy(planned, failed) === undefined) lock?.intend(planned);
  const all = objects.map((planned) =>
    limit(() => applyEntry(planned, failed, options, together).finally(onApplied)),
  );
  if (together) yield* readBackTogether(kind, await Promise.all(all), limit, options);
  else for (const pending of all) yield toResult(await pending);
}

async function applyDeletion(deletion: PlannedDeletion, options: ApplyOptions): Promise<ObjectResult> {
  const { client, lock, signal } = options;
  const { kind, before } = deletion;
  const tracker = new RemoteStateTracker();
  const outcome = await attempt(signal, async () => {
    await tracker.change('removed', () => ADAPTERS[kind].remove(awaitingClient(client), before.id));
    lock?.remove([before.id]);
    return before.id;
  });
  return completeResult(previewDeletion(deletion), outcome, tracker);
}

/** Yields the result of every object, skipped, because one of them is not valid. */
function* skipAll({ objects, deletions }: Plan): Generator<ObjectResult> {
  const reason = 'something else is not valid';
  for (const planned of objects) {
    if (planned.action === 'fail') yield toFailedResult(planned);
    else if (planned.action === 'unchanged') yield previewObject(planned);
    else yield toSkipped(previewObject(planned), reason);
  }
  for (const deletion of deletions) yield toSkipped(previewDeletion(deletion), reason);
}

/** Whether nothing of a plan is applied because something in the files is not valid. */
export function isBlocked({ objects }: Plan, partial: boolean): boolean {
  return !partial && objects.some((planned) => planned.action === 'fail' && planned.isLocal);
}

/**
 * Carries out a plan and yields the results, kind by kind, each as soon as it and all before it are known. Many objects of a kind
 * are known when all of them are written. The failure of an object does not stop what does not depend on it; deletions require that
 * nothing failed. What has changed since the last write of the lock file is for the caller to save.
 * @param partial applies what is valid even if something else is not
 */
export async function* applyPlan(
  plan: Plan,
  options: ApplyOptions,
  { partial }: { partial: boolean },
): AsyncGenerator<ObjectResult, void, void> {
  const { objects, deletions, forgotten } = plan;
  if (isBlocked(plan, partial)) return yield* skipAll(plan);
  await options.lock?.saveResolved();
  options.lock?.remove(forgotten);
  const limit = pLimit(options.concurrency);
  const failed: ObjectResult[] = [];
  for (const kind of KINDS) {
    const ofKind = objects.filter((planned) => planned.kind === kind);
    for await (const result of applyKind(kind, ofKind, failed, limit, options)) {
      if (result.status === 'failed' || result.status === 'skipped') failed.push(result);
      yield result;
    }
    // A failure is that of the caller's `save`.
    await options.lock?.save().catch(() => {});
  }
  for (const kind of KINDS.toReversed()) {
    const ofKind = deletions.filter((deletion) => deletion.kind === kind);
    if (failed.length > 0)
      yield* ofKind.map((deletion) => toSkipped(previewDeletion(deletion), 'something else failed'));
    else
      for (const pending of ofKind.map((deletion) =>
        limit(() => applyDeletion(deletion, options).finally(options.onApplied)),
      )) {
        const result = await pending;
        if (result.status === 'failed') failed.push(result);
        yield result;
      }
  }
}
