import type { Context } from '../../../command.js';
import { CliError } from '../../../lib/errors.js';
import { printable, type Style } from '../../../output/style.js';
import {
  type DeployReport,
  type ReactorReport,
  type ReactorStatus,
  summaryText,
} from '../../../reactors/report/deploy-report.js';
import { annotationsOf, inGitHubActions, writeJobSummary } from '../../../reactors/report/github.js';

const PAINT: Record<ReactorStatus, keyof Style> = {
  created: 'green',
  updated: 'green',
  unchanged: 'dim',
  deleted: 'yellow',
  failed: 'red',
};
const STATUS_WIDTH = 'unchanged'.length;

const REMOTE_WORDS: Record<ReactorReport['remote'], string> = {
  untouched: 'nothing was changed on the service',
  written: 'the service holds the new code',
  restored: 'the previous code was put back',
  removed: 'it was removed again',
  unknown: 'what the service holds now is not known; deploy again',
};

function detailOf({ status, changes, remote, id }: ReactorReport): string {
  if (status === 'failed') return REMOTE_WORDS[remote];
  return status === 'updated' ? changes.map(({ field }) => field).join(', ') : (id ?? '');
}

function errorLines({ error }: ReactorReport): string[] {
  if (!error) return [];
  const messages = Object.entries(error.errors ?? {}).flatMap(([path, texts]) =>
    texts.map((text) => `${path}: ${text}`),
  );
  return [error.detail, ...messages].map((line) => `    ${printable(line)}`);
}

export function paintDiff(diff: string, style: Style): string {
  const paint = (line: string): string => {
    if (line.startsWith('@@')) return style.cyan(line);
    if (line.startsWith('+')) return style.green(line);
    return line.startsWith('-') ? style.red(line) : line;
  };
  return diff
    .split('\n')
    .map((line) => paint(printable(line)))
    .join('\n');
}

function lineOf(report: ReactorReport, style: Style): string {
  const status = style[PAINT[report.status]](report.status.padEnd(STATUS_WIDTH));
  return `${status}  ${printable(report.name)}  ${style.dim(detailOf(report))}`.trimEnd();
}

/** One line per reactor; below it what went wrong, or with `--dry-run` what would change. */
function renderReport(report: DeployReport, style: Style): string {
  const several = report.reactors.length > 1;
  const blocks = report.reactors.map((reactor) => {
    const diff = reactor.diff ? [paintDiff(reactor.diff, style)] : [];
    // The error of a single one follows on stderr.
    return [lineOf(reactor, style), ...(several ? errorLines(reactor) : []), ...diff].join('\n');
  });
  if (several) blocks.push(`${report.dry_run ? 'would be: ' : ''}${summaryText(report.summary)}`);
  return blocks.join('\n');
}

/** Tells of one reactor as it ends: a line where the report comes later as JSON, annotations in GitHub Actions. */
export function announce(report: ReactorReport, error: unknown, { output, settings }: Context): void {
  if (output.settings.mode !== 'table') output.notice(lineOf(report, output.style));
  if (!error || !inGitHubActions(settings.env)) return;
  // The runner reads workflow commands from both streams; stdout is for the report.
  for (const line of annotationsOf(report, error, settings.cwd, settings.env)) output.notice(line);
}

/**
 * Prints the report, then fails when a reactor did: one of several with 1, a single one with its own error.
 * @param errors what was thrown, by the reactor's name.
 */
export async function finish(
  report: DeployReport,
  errors: ReadonlyMap<string, unknown>,
  { output, settings, signal }: Context,
): Promise<void> {
  await output.result(report, { redaction: 'plain', render: renderReport });
  if (inGitHubActions(settings.env)) await writeJobSummary(report, settings.env);
  signal.throwIfAborted();
  const { failed } = report.summary;
  if (failed === 0) return;
  const total = report.reactors.length;
  if (total === 1) throw errors.values().next().value;
  throw new CliError('failed', `${failed} of ${total} reactors failed.`, {
    errors: Object.fromEntries(
      report.reactors.flatMap(({ name, error }) => (error ? [[name, [error.detail]]] : [])),
    ),
  });
}
