import { stringify } from 'safe-stable-stringify';
import { CliError, type Failure, failureLines } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';
import { type ReportedError, toReportedError } from '../../reactors/report/github.js';
import type { ObjectResult, ObjectStatus } from '../apply/result.js';
import type { TenantIdentity } from '../tenant-identity.js';

/** Version of the report's shape. It increases if a property is removed or changes its meaning. */
const REPORT_VERSION = 2;

/** One object of the report. */
export interface ObjectReport extends Omit<ObjectResult, 'durationMs' | 'error'> {
  duration_ms: number;
  error?: ReportedError | undefined;
}

type Summary = Record<Exclude<ObjectStatus, 'unmanaged'>, number> & { unmanaged?: number };

/** What the commands that plan and apply print as JSON. */
export interface Report {
  version: typeof REPORT_VERSION;
  /** Base URL of the service. */
  target: string;
  /** undefined if the service did not tell. */
  tenant?: TenantIdentity | undefined;
  /** Path of the manifest, relative to the working directory. */
  manifest?: string | undefined;
  /** The chosen environment of the manifest. */
  environment?: string | undefined;
  /** Nothing was changed: the statuses say what would be done. */
  dry_run: boolean;
  /** `unmanaged` is counted if there are such objects. */
  summary: Summary;
  objects: ObjectReport[];
}

export interface ReportOptions {
  target: string;
  tenant: TenantIdentity | undefined;
  manifest: string | undefined;
  environment: string | undefined;
  dryRun: boolean;
}

function toObjectReport({ durationMs, error, ...result }: ObjectResult): ObjectReport {
  const report = { ...result, duration_ms: Math.round(durationMs) };
  return result.status === 'failed' ? { ...report, error: toReportedError(error) } : report;
}

function countByStatus(results: readonly ObjectResult[]): Summary {
  const summary: Summary = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0, skipped: 0 };
  for (const { status } of results) summary[status] = (summary[status] ?? 0) + 1;
  return summary;
}

/** Reports the results of a plan or an apply. What it should say in addition belongs here and in `summarize`. */
export function createReport(
  results: readonly ObjectResult[],
  { target, tenant, manifest, environment, dryRun }: ReportOptions,
): Report {
  return {
    version: REPORT_VERSION,
    target,
    tenant,
    manifest,
    environment,
    dry_run: dryRun,
    summary: countByStatus(results),
    objects: results.map(toObjectReport),
  };
}

/** What a plan calls the statuses. */
const PLANNED: Record<ObjectStatus, string> = {
  created: 'create',
  updated: 'update',
  unchanged: 'unchanged',
  deleted: 'delete',
  failed: 'failed',
  skipped: 'skipped',
  unmanaged: 'unmanaged',
};

/** Returns the word for a status: `created`, or `create` in a plan. */
export function describeStatus(status: ObjectStatus, isPlan: boolean): string {
  return isPlan ? PLANNED[status] : status;
}

const IS_CHANGE: ReadonlySet<ObjectStatus> = new Set(['created', 'updated', 'deleted']);

/** Summarizes a report in one line for terminals and job summaries: `2 created, 1 failed`. */
export function summarize({ summary, dry_run }: Report): string {
  const counts = Object.entries(summary) as [ObjectStatus, number][];
  const parts = counts.filter(([, count]) => count > 0);
  return (
    parts
      .map(([status, count]) => {
        const to = dry_run && IS_CHANGE.has(status) ? 'to ' : '';
        return `${count} ${to}${describeStatus(status, dry_run)}`;
      })
      .join(', ') || 'nothing to do'
  );
}

/** Returns the value that all items have in common; undefined if they differ. */
function common<Value>(values: readonly Value[]): Value | undefined {
  const [first] = values;
  return values.every((value) => value === first) ? first : undefined;
}

/** Whether two failures say the same: each request has a trace ID of its own. */
const toMessage = ({ detail, errors, hint }: Failure): string => stringify({ detail, errors, hint }) ?? '';

/** Returns the failure that all failed objects have in common; undefined if they differ or only one failed. */
export function findCommonFailure(results: readonly ObjectResult[]): Failure | undefined {
  const failures = results.filter(({ status }) => status === 'failed').map(({ error }) => toFailure(error));
  const [first] = failures;
  return failures.length > 1 && common(failures.map(toMessage)) !== undefined ? first : undefined;
}

/**
 * Throws if an object failed. The failure of a single object, or one that all failures have in common, is thrown as it
 * is. If nothing was changed, the exit code is that of the common cause; otherwise it is 1.
 */
export function throwFailures(results: readonly ObjectResult[]): void {
  const failed = results.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return;
  if (results.length === 1) throw failed[0]?.error;
  const failures = failed.map(({ error }) => toFailure(error));
  const isChanged = results.some(({ status, remote }) => status !== 'failed' && remote !== 'untouched');
  const category = isChanged ? undefined : common(failures.map((one) => one.category));
  const shared = findCommonFailure(results);
  const count = `${failed.length} of ${results.length} objects failed`;
  throw new CliError(category ?? 'failed', shared ? `${count}: ${shared.detail}` : `${count}.`, {
    status: shared?.status,
    hint: shared?.hint ?? common(failures.map(({ hint }) => hint)),
    errors:
      shared?.errors ??
      (shared
        ? undefined
        : Object.fromEntries(
            failed.map(({ kind, name, error }) => [`${kind} ${name}`, failureLines(toFailure(error))]),
          )),
  });
}
