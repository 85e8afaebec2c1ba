import { hashContent } from '../plan/content.js';
import type { FailedReactor, Plan, PlannedDeletion, PlannedReactor } from '../plan/plan.js';
import type { ReactorResult } from './result.js';

/** Converts a reactor that could not be planned to its result. */
export function toFailedResult({ name, file, durationMs, error }: FailedReactor): ReactorResult {
  return {
    name,
    file,
    status: 'failed',
    remote: 'untouched',
    verified: false,
    changes: [],
    durationMs,
    error,
  };
}

/** Describes the result of a planned reactor before anything is sent. */
export function previewReactor(planned: PlannedReactor): ReactorResult {
  const { name, file, action, before, desired, minified, changes, durationMs } = planned;
  const status = ({ create: 'created', update: 'updated', unchanged: 'unchanged' } as const)[action];
  return {
    name,
    file,
    status,
    id: before?.id,
    remote: 'untouched',
    verified: action === 'unchanged',
    changes,
    hash: hashContent(desired),
    code: { characters: desired.code.length, minified },
    durationMs,
  };
}

/** Describes the result of a planned deletion before anything is sent. */
export function previewDeletion({ before: { id, name } }: PlannedDeletion): ReactorResult {
  return { name, id, status: 'deleted', remote: 'untouched', verified: false, changes: [], durationMs: 0 };
}

/** Lists the results that a plan would have: a dry run. */
export function previewPlan({ reactors, deletions }: Plan): ReactorResult[] {
  const results = reactors.map((planned) => {
    if (planned.action === 'fail') return toFailedResult(planned);
    const result = previewReactor(planned);
    return planned.changes.length > 0 ? { ...result, diff: planned.diff } : result;
  });
  const failed = results.some(({ status }) => status === 'failed');
  return failed ? results : [...results, ...deletions.map(previewDeletion)];
}
