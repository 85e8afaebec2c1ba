import { stringify } from 'safe-stable-stringify';
import { CliError, type Failure, failureLines } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';
import { type ReportedError, toReportedError } from '../../reactors/report/github.js';
import type { ObjectResult, ObjectStatus } from '../apply/result.js';
import type { TenantIdentity } from '../tenant-identity.js';

/** Version of the report's shape. It increases if a property is removed or changes its meaning. */
const REPORT_VERSION = 2;

export interface ObjectReport extends Omit<ObjectResult, 'durationMs' | 'error'> {
  duration_ms: number;
  error?: ReportedError | undefined;
}

type Summary = Record<Exclude<ObjectStatus, 'unmanaged'>, number> & { unmanaged?: number };

interface ReportSubject {
  target: string;
  /** undefined if the service did not tell. */
  tenant?: TenantIdentity | undefined;
  manifest?: string | undefined;
  environment?: string | undefined;
}

/** What the commands that plan and apply print as JSON. */
export interface Report extends ReportSubject {
  version: typeof REPORT_VERSION;
  /** Nothing was changed: the statuses say what would be done. */
  dry_run: boolean;
  /** `unmanaged` is counted if there are such objects. */
  summary: Summary;
  objects: ObjectReport[];
}

export interface ReportOptions extends ReportSubject {
  dryRun: boolean;
  /** Absolute path of a file that is written with the report as Markdown. */
  summaryFile?: string | undefined;
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

/** Reports the results of a plan or an apply. What it should say in addition belongs here, in `summarize`, and in markdown.ts. */
export const createReport = (
  results: readonly ObjectResult[],
  { dryRun, summaryFile: _, ...subject }: ReportOptions,
): Report => ({
  version: REPORT_VERSION,
  ...subject,
  dry_run: dryRun,
  summary: countByStatus(results),
  objects: results.map(toObjectReport),
});

const PLANNED: Partial<Record<ObjectStatus, string>> = {
  created: 'create',
  updated: 'update',
  deleted: 'delete',
};

/** Returns the word for a status: `created`, or `create` in a plan. */
export const describeStatus = (status: ObjectStatus, isPlan: boolean): string =>
  (isPlan && PLANNED[status]) || status;

/** Summarizes a report in one line for terminals and job summaries: `2 created, 1 failed`. */
export function summarize({ summary, dry_run }: Report): string {
  const counts = Object.entries(summary) as [ObjectStatus, number][];
  const parts = counts.filter(([, count]) => count > 0);
  const toText = ([status, count]: [ObjectStatus, number]) =>
    `${count} ${dry_run && PLANNED[status] ? 'to ' : ''}${describeStatus(status, dry_run)}`;
  return parts.map(toText).join(', ') || 'nothing to do';
}

function common<Value>(values: readonly Value[]): Value | undefined {
  const [first] = values;
  return values.every((value) => value === first) ? first : undefined;
}

/** Whether two failures say the same: each request has a trace ID of its own. */
const toMessage = ({ detail, errors, hint }: Failure): string => stringify({ detail, errors, hint }) ?? '';

export function findCommonFailure(results: readonly ObjectResult[]): Failure | undefined {
  const failures = results.filter(({ status }) => status === 'failed').map(({ error }) => toFailure(error));
  const [first] = failures;
  return failures.length > 1 && common(failures.map(toMessage)) !== undefined ? first : undefined;
}

/** Throws the failure that all failed objects share, else one for all. Exits with their common cause only if nothing was changed. */
export function throwFailures(results: readonly ObjectResult[]): void {
  const failed = results.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return;
  if (results.length === 1) throw failed[0]?.error;
  const failures = failed.map(({ error }) => toFailure(error));
  const isChanged = results.some(({ status, remote }) => status !== 'failed' && remote !== 'untouched');
  const category = isChanged ? undefined : common(failures.map((one) => one.category));
  const shared = findCommonFailure(results);
  const count = `${failed.length} of ${results.length} objects failed`;
  const describe = ({ kind, name, error }: ObjectResult) => [
    `${kind} ${name}`,
    failureLines(toFailure(error)),
  ];
  throw new CliError(category ?? 'failed', shared ? `${count}: ${shared.detail}` : `${count}.`, {
    status: shared?.status,
    hint: shared?.hint ?? common(failures.map(({ hint }) => hint)),
    errors: shared ? shared.errors : Object.fromEntries(failed.map(describe)),
  });
}
