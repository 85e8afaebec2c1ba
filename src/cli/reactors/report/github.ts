import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type CodeProblem, ReactorCodeError } from '../build/code-problem.js';
import { shownPath } from '../project/source-file.js';
import { type DeployReport, type ReactorReport, summaryText } from './deploy-report.js';

type Environment = Readonly<Record<string, string | undefined>>;

export const inGitHubActions = (env: Environment): boolean => env.GITHUB_ACTIONS === 'true';

/** Workflow commands are lines: what would end one is escaped as GitHub's own toolkit does. */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** A workflow command that shows a problem at its place. */
export function annotation(title: string, { file, line, column, message }: CodeProblem): string {
  const properties = { file, line, col: column, title };
  const written = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::error ${written.join(',')}::${escapeData(message)}`;
}

/** One workflow command per problem of a reactor that failed, at its place in the repository. */
export function annotationsOf(
  report: Pick<ReactorReport, 'name' | 'file' | 'error'>,
  error: unknown,
  cwd: string,
  env: Environment,
): string[] {
  const problems = error instanceof ReactorCodeError ? error.problems : [];
  const detail = report.error?.detail ?? 'The reactor could not be deployed.';
  const shown = problems.length > 0 ? problems : [{ file: report.file, message: detail }];
  return shown.map((problem) =>
    annotation(`reactor ${report.name}`, {
      ...problem,
      file: problem.file && shownPath(resolve(cwd, problem.file), env.GITHUB_WORKSPACE ?? cwd),
    }),
  );
}

const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');

function row({ name, status, remote, changes, error }: ReactorReport): string {
  const detail = error
    ? `${error.detail} (on the service: ${remote})`
    : changes.map(({ field }) => field).join(', ');
  return `| ${cell(name)} | ${status} | ${cell(detail)} |`;
}

/** The report as Markdown, for the summary page of a job. */
function jobSummary({ target, dry_run, summary, reactors }: DeployReport): string {
  return [
    `### Reactors on ${target}${dry_run ? ' (dry run)' : ''}: ${summaryText(summary)}`,
    '',
    '| reactor | result | |',
    '| --- | --- | --- |',
    ...reactors.map(row),
    '',
  ].join('\n');
}

/** Appends the summary to the file that GitHub Actions names. */
export async function writeJobSummary(report: DeployReport, env: Environment): Promise<void> {
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, `${jobSummary(report)}\n`);
}
