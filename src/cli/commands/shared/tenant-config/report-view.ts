import type { Context } from '../../../command.js';
import { writeFileAtomically } from '../../../lib/atomic-write.js';
import { appendJobSummary, isGitHubActions } from '../../../lib/github.js';
import { foldProse } from '../../../lib/text.js';
import { formatErrorLines } from '../../../output/failure.js';
import { escapeControls, type Style } from '../../../output/style.js';
import { displayWidth, pad } from '../../../output/text-width.js';
import { formatFailureAnnotations } from '../../../reactors/report/github.js';
import type { ObjectResult, ObjectStatus } from '../../../tenant-config/apply/result.js';
import { formatMarkdown } from '../../../tenant-config/report/markdown.js';
import {
  createReport,
  describeStatus,
  findCommonFailure,
  type ObjectReport,
  type Report,
  type ReportOptions,
  summarize,
} from '../../../tenant-config/report/report.js';

function paintDiff(diff: string, style: Style, indent: string): string {
  const paint = (line: string): string => {
    if (line.startsWith('@@')) return style.cyan(line);
    if (line.startsWith('+')) return style.green(line);
    return line.startsWith('-') ? style.red(line) : line;
  };
  return diff
    .split('\n')
    .map((line) => indent + paint(escapeControls(line)))
    .join('\n');
}

const COLORS: Record<ObjectStatus, keyof Style> = {
  created: 'green',
  updated: 'yellow',
  unchanged: 'dim',
  deleted: 'red',
  failed: 'red',
  skipped: 'dim',
  unmanaged: 'yellow',
};
const STATUS_WIDTH = 'unchanged'.length;
/** A longer name pushes its own text away, not those of all: an id still fits behind this on 80 columns. */
const MAX_TITLE_WIDTH = 30;

const REMOTE_TEXTS: Record<ObjectResult['remote'], string> = {
  untouched: 'nothing was changed on the service',
  written: 'the service has the new version',
  restored: 'the previous version was restored',
  removed: 'the new one was removed',
  unknown: 'the state on the service is unknown; apply again',
};

function formatDetail(
  { status, changes, remote, id, reason, note }: Omit<ObjectReport, 'duration_ms'>,
  dryRun: boolean,
): string {
  if (status === 'failed') return dryRun ? '' : REMOTE_TEXTS[remote];
  if (status === 'skipped') return reason ?? '';
  if (note !== undefined) return note;
  return status === 'updated' ? changes.map(({ field }) => field).join(', ') : (id ?? '');
}

const titleOf = ({ kind, name }: Pick<ObjectReport, 'kind' | 'name'>): string =>
  `${kind} ${escapeControls(name)}`;

const titleColumns = (objects: readonly ObjectReport[]): number =>
  Math.max(
    0,
    ...objects.map((object) => displayWidth(titleOf(object))).filter((one) => one <= MAX_TITLE_WIDTH),
  );

function formatObject(
  report: Omit<ObjectReport, 'duration_ms' | 'error'>,
  style: Style,
  { dryRun, width, columns }: { dryRun: boolean; width: number; columns: number },
): string {
  const { status } = report;
  const word = style[COLORS[status]](describeStatus(status, dryRun).padEnd(STATUS_WIDTH));
  const title = `  ${pad(titleOf(report), columns)}  `;
  const indent = STATUS_WIDTH + displayWidth(title);
  const detail = foldProse(escapeControls(formatDetail(report, dryRun)), width, indent);
  const line = `${word}${title}${detail && style.dim(detail)}`.trimEnd();
  const warnings = report.weakenings.map(
    (text) => `    ${style.yellow('weakens security:')} ${escapeControls(text)}`,
  );
  return [line, ...warnings].join('\n');
}

/** Formats objects with their diffs and errors. A shared error is printed once; a terminal only counts what a plan leaves as it is. */
export function renderReport(report: Report, style: Style, isErrorShared: boolean, width: number): string {
  const several = report.objects.length > 1;
  const isTerminal = Number.isFinite(width);
  const onlyChanges = several && report.dry_run && isTerminal;
  const objects = report.objects.filter(({ status }) => !onlyChanges || status !== 'unchanged');
  const columns = titleColumns(objects);
  const blocks = objects.map((object) => {
    const diff = object.diff ? [paintDiff(object.diff, style, isTerminal ? '  ' : '')] : [];
    // Errors are printed on stderr, too, which a person sees on the same terminal.
    const errors = several && !isErrorShared && !isTerminal ? formatErrorLines(object.error, '    ') : [];
    const line = formatObject(object, style, { dryRun: report.dry_run, width, columns });
    return [line, ...errors, ...diff].join('\n');
  });
  if (several || blocks.length === 0) blocks.push(summarize(report));
  return blocks.join('\n');
}

/** Prints a result on stderr: a line if the report follows as JSON, and annotations in GitHub Actions. */
function printProgress(result: ObjectResult, dryRun: boolean, { output, settings }: Context): void {
  if (output.settings.mode !== 'table' && !dryRun)
    output.notice(formatObject(result, output.style, { dryRun, width: output.settings.width, columns: 0 }));
  if (result.status !== 'failed' || !isGitHubActions(settings.env)) return;
  // The runner reads workflow commands from both streams; stdout is for the report.
  for (const line of formatFailureAnnotations(result, settings.cwd, settings.env)) output.annotate(line);
}

async function writeSummaries(
  report: Report,
  { summaryFile }: ReportOptions,
  { env }: Context['settings'],
): Promise<void> {
  await appendJobSummary(formatMarkdown(report), env);
  if (summaryFile !== undefined) await writeFileAtomically(summaryFile, formatMarkdown(report));
}

export async function printReport(
  results: Iterable<ObjectResult> | AsyncIterable<ObjectResult>,
  options: ReportOptions,
  context: Context,
): Promise<ObjectResult[]> {
  const { output, settings, signal } = context;
  const all: ObjectResult[] = [];
  for await (const result of results) {
    printProgress(result, options.dryRun, context);
    all.push(result);
  }
  const report = createReport(all, options);
  const isErrorShared = findCommonFailure(all) !== undefined;
  await output.result(report, {
    redaction: 'plain',
    render: (one: Report, style: Style, width: number) => renderReport(one, style, isErrorShared, width),
  });
  await writeSummaries(report, options, settings);
  signal.throwIfAborted();
  return all;
}
