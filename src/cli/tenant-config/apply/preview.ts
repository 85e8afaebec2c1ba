import type { FailedObject, Plan, PlannedDeletion, PlannedObject } from '../plan/plan.js';
import type { ObjectResult } from './result.js';

/** Converts an object that could not be planned to its result. */
export function toFailedResult({ kind, name, file, durationMs, error }: FailedObject): ObjectResult {
  return {
    kind,
    name,
    file,
    status: 'failed',
    remote: 'untouched',
    verified: false,
    changes: [],
    weakenings: [],
    durationMs,
    error,
  };
}

/** Describes the result of a planned object before anything is sent. */
export function previewObject(planned: PlannedObject): ObjectResult {
  const { kind, name, file, action, before, desired, minified = false, hash } = planned;
  const status = ({ create: 'created', update: 'updated', unchanged: 'unchanged' } as const)[action];
  return {
    kind,
    name,
    file,
    status,
    id: before?.id,
    remote: 'untouched',
    verified: action === 'unchanged',
    changes: planned.changes,
    weakenings: planned.weakenings,
    hash,
    ...('code' in desired && { code: { characters: desired.code.length, minified } }),
    durationMs: planned.durationMs,
    note: planned.note,
  };
}

/** Describes the result of a planned deletion before anything is sent. */
export function previewDeletion({ kind, name, before }: PlannedDeletion): ObjectResult {
  return {
    kind,
    name,
    id: before.id,
    status: 'deleted',
    remote: 'untouched',
    verified: false,
    changes: [],
    weakenings: [],
    durationMs: 0,
  };
}

/** Turns the expected result of an object that is not tried into that of a skipped one. */
export function toSkipped(expected: ObjectResult, reason: string): ObjectResult {
  return { ...expected, status: 'skipped', remote: 'untouched', verified: false, reason };
}

/** Lists the results that a plan would have: a dry run. */
export function previewPlan({ objects, deletions }: Plan): ObjectResult[] {
  const results = objects.map((planned) => {
    if (planned.action === 'fail') return toFailedResult(planned);
    const result = previewObject(planned);
    return planned.changes.length > 0 ? { ...result, diff: planned.diff } : result;
  });
  return [...results, ...deletions.map(previewDeletion)];
}
