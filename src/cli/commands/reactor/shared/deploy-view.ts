import type { Context } from '../../../command.js';
import { CliError } from '../../../lib/errors.js';
import { escapeControls, type Style } from '../../../output/style.js';
import type { ReactorResult, ReactorStatus } from '../../../reactors/apply/result.js';
import {
  createDeployReport,
  type DeployReport,
  type DeployReportOptions,
  type ReactorReport,
  summarizeDeployment,
} from '../../../reactors/report/deploy-report.js';
import {
  formatFailureAnnotations,
  isGitHubActions,
  writeJobSummary,
} from '../../../reactors/report/github.js';
import { paintDiff } from './diff-view.js';
import { formatErrorLines } from './error-lines.js';

const COLORS: Record<ReactorStatus, keyof Style> = {
  created: 'green',
  updated: 'green',
  unchanged: 'dim',
  deleted: 'yellow',
  failed: 'red',
};
const STATUS_WIDTH = 'unchanged'.length;

const REMOTE_TEXTS: Record<ReactorResult['remote'], string> = {
  untouched: 'nothing was changed on the service',
  written: 'the service has the new code',
  restored: 'the previous code was restored',
  removed: 'the new reactor was removed',
  unknown: 'the state on the service is unknown; deploy again',
};

function formatDetail({ status, changes, remote, id }: Omit<ReactorReport, 'duration_ms'>): string {
  if (status === 'failed') return REMOTE_TEXTS[remote];
  return status === 'updated' ? changes.map(({ field }) => field).join(', ') : (id ?? '');
}

function formatReactor(report: Omit<ReactorReport, 'duration_ms' | 'error'>, style: Style): string {
  const status = style[COLORS[report.status]](report.status.padEnd(STATUS_WIDTH));
  return `${status}  ${escapeControls(report.name)}  ${style.dim(formatDetail(report))}`.trimEnd();
}

/** Formats one line for each reactor, followed by its error or, for a dry run, its diff. */
function renderReport(report: DeployReport, style: Style): string {
  const several = report.reactors.length > 1;
  const blocks = report.reactors.map((reactor) => {
    const diff = reactor.diff ? [paintDiff(reactor.diff, style)] : [];
    // The error of a single reactor is printed on stderr.
    const errors = several ? formatErrorLines(reactor.error, '    ') : [];
    return [formatReactor(reactor, style), ...errors, ...diff].join('\n');
  });
  if (several) blocks.push(summarizeDeployment(report));
  return blocks.join('\n');
}

/** Prints a result on stderr: a line if the report follows as JSON, and annotations in GitHub Actions. */
function printProgress(result: ReactorResult, { output, settings }: Context): void {
  if (output.settings.mode !== 'table') output.notice(formatReactor(result, output.style));
  if (result.status !== 'failed' || !isGitHubActions(settings.env)) return;
  // The runner reads workflow commands from both streams; stdout is for the report.
  for (const line of formatFailureAnnotations(result, settings.cwd, settings.env)) output.notice(line);
}

/** @throws the error of a single reactor that failed, or one error for several reactors. */
function throwFailures(results: readonly ReactorResult[], report: DeployReport): void {
  const { failed } = report.summary;
  if (failed === 0) return;
  if (results.length === 1) throw results[0]?.error;
  throw new CliError('failed', `${failed} of ${results.length} reactors failed.`, {
    errors: Object.fromEntries(
      report.reactors.flatMap(({ name, error }) => (error ? [[name, [error.detail]]] : [])),
    ),
  });
}

/**
 * Prints the progress and then the report of a deployment.
 * @throws if a reactor failed: the error of a single one, or one error for several.
 */
export async function reportDeployment(
  results: Iterable<ReactorResult> | AsyncIterable<ReactorResult>,
  options: DeployReportOptions,
  context: Context,
): Promise<void> {
  const { output, settings, signal } = context;
  const all: ReactorResult[] = [];
  for await (const result of results) {
    printProgress(result, context);
    all.push(result);
  }
  const report = createDeployReport(all, options);
  await output.result(report, { redaction: 'plain', render: renderReport });
  if (isGitHubActions(settings.env)) await writeJobSummary(report, settings.env);
  signal.throwIfAborted();
  throwFailures(all, report);
}
