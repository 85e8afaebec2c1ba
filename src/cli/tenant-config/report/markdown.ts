import { failureLines } from '../../lib/errors.js';
import { hideSecretsIn } from '../../lib/secrets.js';
import { countOf } from '../../lib/text.js';
import { describeTenant } from '../tenant-identity.js';
import { describeStatus, type ObjectReport, type Report, summarize } from './report.js';

/** Of the table, and of the diffs: a comment of GitHub holds 65,536. */
const MAX_CHARACTERS = 30_000;

/** Escapes Markdown and HTML in text from others. A backslash does not keep GitHub from linking people and issues. */
export const escapeMarkdown = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replace(/[\\`*_~|[\]!]/g, '\\$&')
    .replaceAll('<', '&lt;')
    .replace(/[@#]/g, '\\$&<!-- -->')
    .replace(/[\r\n]+/g, ' ');

/** Returns `2 smoke tests passed`, or `1 of 2 smoke tests passed`; nothing if none ran. */
function describeSmoke({ smoke }: ObjectReport): string {
  if (!smoke) return '';
  const passed = smoke.filter((one) => one.passed).length;
  if (passed === smoke.length) return `${countOf(passed, 'smoke test')} passed`;
  return `${passed} of ${smoke.length} smoke tests passed`;
}

function describeOutcome({ error, reason, remote, changes, weakenings }: ObjectReport): string[] {
  if (error) return [`${failureLines(error).join('; ')} (on the service: ${remote})`];
  const weaker = weakenings.map((text) => `weakens security: ${text}`);
  return [...weaker, reason ?? changes.map(({ field }) => field).join(', ')];
}

function formatRow(object: ObjectReport, isPlan: boolean): string {
  const { kind, name, status } = object;
  const details = [...describeOutcome(object), describeSmoke(object)].filter(Boolean).join('; ');
  return `| ${kind} | ${escapeMarkdown(name)} | ${describeStatus(status, isPlan)} | ${escapeMarkdown(details)} |`;
}

/** Formats a diff that is shown on a click. Its fence is longer than any in the diff. */
function formatDiff({ kind, name, diff = '' }: ObjectReport): string {
  const longest = Math.max(2, ...(diff.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const title = `${kind} ${escapeMarkdown(name)}`;
  return `\n<details><summary>${title}</summary>\n\n${fence}diff\n${diff}\n${fence}\n\n</details>`;
}

/** Returns the texts that there is room for, and a sentence that counts the others. */
function takeFitting(texts: readonly string[], what: string): string[] {
  let room = MAX_CHARACTERS;
  const taken = texts.filter((text) => {
    if (text.length > room) return false;
    room -= text.length;
    return true;
  });
  const left = texts.length - taken.length;
  return left === 0
    ? taken
    : [...taken, '', `${countOf(left, `more ${what}`)}: see the output of the command.`];
}

/** Formats a report for job summaries and comments. What is unchanged is only counted. */
export function formatMarkdown(given: Report): string {
  const report = hideSecretsIn(given);
  const { environment, target, tenant, dry_run, objects } = report;
  const subject = [environment, target, tenant && describeTenant(tenant)].filter(
    (text) => text !== undefined,
  );
  const title = `${dry_run ? 'Plan for' : 'Applied to'} ${escapeMarkdown(subject.join(', '))}`;
  const shown = objects.filter(({ status, smoke }) => status !== 'unchanged' || smoke);
  const rows = shown.map((object) => formatRow(object, dry_run));
  const diffs = shown.filter(({ diff }) => diff).map(formatDiff);
  return [
    `### ${title}: ${summarize(report)}`,
    ...(rows.length > 0 ? ['', '| kind | name | result | |', '| --- | --- | --- | --- |'] : []),
    ...takeFitting(rows, 'object'),
    ...takeFitting(diffs, 'diff'),
    '',
  ].join('\n');
}
