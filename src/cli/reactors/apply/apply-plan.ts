import pLimit from 'p-limit';
import { type Attempt, attempt } from '../../lib/attempt.js';
import type { Plan, PlannedDeletion } from '../plan/plan.js';
import { type ApplyOptions, applyReactor } from './apply-reactor.js';
import { previewDeletion, previewReactor, toFailedResult } from './preview.js';
import { RemoteStateTracker } from './remote-state.js';
import { deleteReactor } from './requests.js';
import type { ReactorResult } from './result.js';

/** Completes the result of a successful step, or turns it into that of a failed one. */
function completeResult(
  expected: ReactorResult,
  outcome: Attempt<string>,
  { state: remote }: RemoteStateTracker,
): ReactorResult {
  const durationMs = expected.durationMs + outcome.durationMs;
  if (outcome.ok) return { ...expected, id: outcome.value, remote, verified: true, durationMs };
  const { name, file } = expected;
  const id = expected.status === 'deleted' ? expected.id : undefined;
  const { error } = outcome;
  return { name, file, id, status: 'failed', remote, verified: false, changes: [], durationMs, error };
}

async function applyEntry(
  planned: Plan['reactors'][number],
  target: string,
  options: ApplyOptions,
): Promise<ReactorResult> {
  if (planned.action === 'fail') return toFailedResult(planned);
  const tracker = new RemoteStateTracker();
  const outcome = await attempt(options.signal, () => applyReactor(planned, target, tracker, options));
  return completeResult(previewReactor(planned), outcome, tracker);
}

async function applyDeletion(deletion: PlannedDeletion, options: ApplyOptions): Promise<ReactorResult> {
  const { client, lock, signal } = options;
  const { id } = deletion.before;
  const tracker = new RemoteStateTracker();
  const outcome = await attempt(signal, async () => {
    await tracker.change('removed', () => deleteReactor(client, id));
    await lock?.remove([id]);
    return id;
  });
  return completeResult(previewDeletion(deletion), outcome, tracker);
}

/**
 * Carries out a plan and yields the results in its order, each as soon as it and all before it are known.
 * The failure of one reactor does not stop the others; deletions require that nothing failed.
 */
export async function* applyPlan(
  plan: Plan,
  options: ApplyOptions,
): AsyncGenerator<ReactorResult, void, void> {
  const { reactors, deletions, forget, target } = plan;
  await options.lock?.remove(forget);
  const limit = pLimit(options.concurrency);
  let failed = false;
  for (const pending of reactors.map((planned) => limit(() => applyEntry(planned, target, options)))) {
    const result = await pending;
    failed ||= result.status === 'failed';
    yield result;
  }
  if (failed) return;
  for (const pending of deletions.map((deletion) => limit(() => applyDeletion(deletion, options))))
    yield await pending;
}
