import type { Plan, PlannedDeletion } from '../plan/plan.js';
import type { Kind } from '../resources/content.js';
import type { Change } from '../resources/field.js';

/** What the service has of an object after an attempt to change it, compared with before. */
export type RemoteState = 'untouched' | 'written' | 'restored' | 'removed' | 'unknown';

/** `skipped`: something that it depends on failed. `unmanaged`: not declared. In a plan, the status says what would be done. */
export type ObjectStatus =
  | 'created'
  | 'updated'
  | 'unchanged'
  | 'deleted'
  | 'failed'
  | 'skipped'
  | 'unmanaged';

export interface SmokeResult {
  name?: string | undefined;
  passed: boolean;
}

export interface ObjectResult {
  kind: Kind;
  name: string;
  /** The code, relative to the working directory. */
  file?: string | undefined;
  status: ObjectStatus;
  id?: string | undefined;
  /** What the service has now, compared with before. */
  remote: RemoteState;
  /** The object was read back from the service and is as planned. */
  verified: boolean;
  changes: Change[];
  /** How the change weakens security, one sentence each. */
  weakenings: string[];
  diff?: string | undefined;
  /** SHA-256 of the object without the values of its configuration. */
  hash?: string | undefined;
  code?: { characters: number; minified: boolean } | undefined;
  /** The smoke tests that ran; absent if there are none. */
  smoke?: SmokeResult[] | undefined;
  durationMs: number;
  /** What else is to be said: which version was restored. */
  note?: string | undefined;
  reason?: string | undefined;
  error?: unknown;
}

const STATUSES = {
  create: 'created',
  update: 'updated',
  unchanged: 'unchanged',
  delete: 'deleted',
  fail: 'failed',
} as const satisfies Record<string, ObjectStatus>;

/** Completes the result of an object that nothing was sent about. */
export const toResult = (
  result: Pick<ObjectResult, 'kind' | 'name' | 'status'> & Partial<ObjectResult>,
): ObjectResult => ({
  remote: 'untouched',
  verified: false,
  changes: [],
  weakenings: [],
  durationMs: 0,
  ...result,
});

/** Describes the result of a part of a plan before anything is sent. */
export function preview(planned: Plan['objects'][number] | PlannedDeletion): ObjectResult {
  const { kind, name, action } = planned;
  const result = { kind, name, status: STATUSES[action] };
  if (planned.action === 'delete') return toResult({ ...result, id: planned.before.id });
  const { file, durationMs } = planned;
  if (planned.action === 'fail') return toResult({ ...result, file, durationMs, error: planned.error });
  const { before, desired, minified = false, hash, changes, weakenings, note } = planned;
  const code = desired.code === undefined ? undefined : { characters: desired.code.length, minified };
  return toResult({
    ...{ ...result, file, id: before?.id, verified: action === 'unchanged' },
    ...{ changes, weakenings, hash, ...(code && { code }), durationMs, note },
  });
}

export const toSkipped = (expected: ObjectResult, reason: string): ObjectResult => ({
  ...expected,
  status: 'skipped',
  verified: false,
  reason,
});

export function previewPlan({ objects, deletions }: Plan): ObjectResult[] {
  const results = objects.map((planned) => {
    const isChanged = planned.action !== 'fail' && planned.changes.length > 0;
    return { ...preview(planned), ...(isChanged && { diff: planned.diff }) };
  });
  return [...results, ...deletions.map(preview)];
}
