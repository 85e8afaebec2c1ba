import type { ReactorResult, ReactorStatus } from '../apply/result.js';
import { type ReportedError, toReportedError } from './reported-error.js';

/** Version of the report's shape. It increases if a property is removed or changes its meaning. */
export const REPORT_VERSION = 1;

/** One reactor of the report. */
export interface ReactorReport extends Omit<ReactorResult, 'durationMs' | 'error'> {
  duration_ms: number;
  error?: ReportedError | undefined;
}

/** What `reactor deploy` and `reactor apply` print as JSON. */
export interface DeployReport {
  version: typeof REPORT_VERSION;
  /** Base URL of the service. */
  target: string;
  /** Path of the manifest, relative to the working directory. */
  manifest?: string | undefined;
  dry_run: boolean;
  summary: Record<ReactorStatus, number>;
  reactors: ReactorReport[];
}

export interface DeployReportOptions {
  target: string;
  manifest: string | undefined;
  dryRun: boolean;
}

function toReactorReport({ durationMs, error, ...result }: ReactorResult): ReactorReport {
  const report = { ...result, duration_ms: Math.round(durationMs) };
  return result.status === 'failed' ? { ...report, error: toReportedError(error) } : report;
}

function countByStatus(results: readonly ReactorResult[]): Record<ReactorStatus, number> {
  const summary = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 };
  for (const { status } of results) summary[status]++;
  return summary;
}

/** Reports the results of a deployment. What it should say in addition belongs here and in `summarizeDeployment`. */
export function createDeployReport(
  results: readonly ReactorResult[],
  { target, manifest, dryRun }: DeployReportOptions,
): DeployReport {
  return {
    version: REPORT_VERSION,
    target,
    manifest,
    dry_run: dryRun,
    summary: countByStatus(results),
    reactors: results.map(toReactorReport),
  };
}

/** Summarizes a report in one line for terminals and job summaries: `2 created, 1 failed`. */
export function summarizeDeployment({ summary, dry_run }: DeployReport): string {
  const parts = Object.entries(summary).filter(([, count]) => count > 0);
  const text = parts.map(([status, count]) => `${count} ${status}`).join(', ') || 'nothing to do';
  return dry_run ? `dry run: ${text}` : text;
}
