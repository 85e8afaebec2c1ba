import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { toFailure } from '../../lib/failure.js';
import type { ReactorResult } from '../apply/result.js';
import { type CodeProblem, ReactorCodeError } from '../build/code-problem.js';
import { displayPath } from '../project/source-file.js';
import { type DeployReport, type ReactorReport, summarizeDeployment } from './deploy-report.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the process runs in GitHub Actions. */
export const isGitHubActions = (env: Environment): boolean => env.GITHUB_ACTIONS === 'true';

/** Escapes the data of a workflow command, which is one line, as GitHub's own toolkit does. */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Formats a workflow command that shows a problem at its position. */
export function formatAnnotation(title: string, { file, line, column, message }: CodeProblem): string {
  const properties = Object.entries({ file, line, col: column, title })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::error ${properties.join(',')}::${escapeData(message)}`;
}

/** Formats one workflow command for each problem of a failed reactor, with paths relative to the repository. */
export function formatFailureAnnotations(
  { name, file, error }: Pick<ReactorResult, 'name' | 'file' | 'error'>,
  cwd: string,
  env: Environment,
): string[] {
  const problems = error instanceof ReactorCodeError ? error.problems : [];
  const shown = problems.length > 0 ? problems : [{ file, message: toFailure(error).detail }];
  return shown.map((problem) =>
    formatAnnotation(`reactor ${name}`, {
      ...problem,
      file: problem.file && displayPath(resolve(cwd, problem.file), env.GITHUB_WORKSPACE ?? cwd),
    }),
  );
}

const escapeCell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');

function formatRow({ name, status, remote, changes, error }: ReactorReport): string {
  const detail = error
    ? `${error.detail} (on the service: ${remote})`
    : changes.map(({ field }) => field).join(', ');
  return `| ${escapeCell(name)} | ${status} | ${escapeCell(detail)} |`;
}

/** Formats a report as Markdown for the summary page of a job. */
function formatJobSummary(report: DeployReport): string {
  return [
    `### Reactors on ${report.target}: ${summarizeDeployment(report)}`,
    '',
    '| reactor | result | |',
    '| --- | --- | --- |',
    ...report.reactors.map(formatRow),
    '',
  ].join('\n');
}

/** Appends a report to the job summary file of GitHub Actions, if there is one. */
export async function writeJobSummary(report: DeployReport, env: Environment): Promise<void> {
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, `${formatJobSummary(report)}\n`);
}
