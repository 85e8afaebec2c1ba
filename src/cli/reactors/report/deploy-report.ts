import type { Failure } from '../../lib/errors.js';
import type { RemoteState } from '../apply/deploy-reactor.js';
import type { Change } from '../plan/compare.js';

/** The version of the report's shape; it grows when a property changes its meaning or goes. */
export const REPORT_VERSION = 1;

/** `created`, `updated` and `deleted` of a dry run: what would be. */
export type ReactorStatus = 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';

/** An error as the JSON output shows it everywhere. */
export interface ReportedError extends Omit<Failure, 'traceId'> {
  trace_id?: string | undefined;
}

/** One reactor of the report. */
export interface ReactorReport {
  name: string;
  file?: string | undefined;
  status: ReactorStatus;
  id?: string | undefined;
  /** What the service holds now, compared with before. */
  remote: RemoteState;
  /** Read back from the service and found to be what the project says. */
  verified: boolean;
  changes: Change[];
  /** Of a dry run. */
  diff?: string | undefined;
  /** SHA-256 of name, code, configuration and application as canonical JSON. */
  hash?: string | undefined;
  code?: { characters: number; minified: boolean } | undefined;
  duration_ms: number;
  error?: ReportedError | undefined;
}

/** What `reactor deploy` and `reactor apply` print as JSON. */
export interface DeployReport {
  version: typeof REPORT_VERSION;
  /** The base URL. */
  target: string;
  manifest?: string | undefined;
  dry_run: boolean;
  summary: Record<ReactorStatus, number>;
  reactors: ReactorReport[];
}

export function toReportedError({ traceId, ...failure }: Failure): ReportedError {
  return { ...failure, trace_id: traceId };
}

export function summarize(reactors: readonly ReactorReport[]): Record<ReactorStatus, number> {
  const summary = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 };
  for (const { status } of reactors) summary[status]++;
  return summary;
}

/** `2 created, 1 failed`. */
export function summaryText(summary: Record<ReactorStatus, number>): string {
  const parts = Object.entries(summary).filter(([, count]) => count > 0);
  return parts.map(([status, count]) => `${count} ${status}`).join(', ') || 'nothing to do';
}
