import { appendFile } from 'node:fs/promises';
import { failureLines } from '../../lib/errors.js';
import { hideSecretsIn } from '../../lib/secrets.js';
import { describeTenant } from '../tenant-identity.js';
import { describeStatus, type ObjectReport, type Report, summarize } from './report.js';

/** Escapes what would be Markdown or HTML in text from others, on one line. */
const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\`*|[\]!]/g, '\\$&')
    .replaceAll('<', '&lt;')
    .replace(/[\r\n]+/g, ' ');

function formatDetail({ error, reason, remote, changes, weakenings }: ObjectReport): string {
  if (error) return `${failureLines(error).join('; ')} (on the service: ${remote})`;
  return [...weakenings, reason ?? changes.map(({ field }) => field).join(', ')].join('; ');
}

function formatRow(object: ObjectReport, isPlan: boolean): string {
  const { kind, name, status } = object;
  return `| ${kind} | ${escapeMarkdown(name)} | ${describeStatus(status, isPlan)} | ${escapeMarkdown(formatDetail(object))} |`;
}

/** Formats a report as Markdown for the summary page of a job. */
function formatJobSummary(report: Report): string {
  const { target, tenant } = report;
  const where = tenant === undefined ? target : `${target}, ${describeTenant(tenant)}`;
  return [
    `### ${report.dry_run ? 'Plan for' : 'Applied to'} ${escapeMarkdown(where)}: ${summarize(report)}`,
    '',
    '| kind | name | result | |',
    '| --- | --- | --- | --- |',
    ...report.objects.map((object) => formatRow(object, report.dry_run)),
    '',
  ].join('\n');
}

/** Appends a report to the job summary file of GitHub Actions, if there is one. */
export async function writeJobSummary(
  report: Report,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (env.GITHUB_STEP_SUMMARY)
    await appendFile(env.GITHUB_STEP_SUMMARY, `${formatJobSummary(hideSecretsIn(report))}\n`);
}
