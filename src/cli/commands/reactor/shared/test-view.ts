import { resolve } from 'node:path';
import type { Settings } from '../../../config/settings.js';
import type { ConsoleLine } from '../../../emulator/reactor-runner.js';
import { formatAnnotation } from '../../../lib/annotations.js';
import { isGitHubActions } from '../../../lib/github.js';
import { hideSecretsIn } from '../../../lib/secrets.js';
import { formatErrorLines } from '../../../output/failure.js';
import { escapeControls, type Style } from '../../../output/style.js';
import { displayPath } from '../../../reactors/project/selection.js';
import { formatFailureAnnotations } from '../../../reactors/report/github.js';
import type { ReactorTestReport, TestReport } from '../../../reactors/report/test-report.js';
import type { CaseResult, ReactorTestResult } from '../../../reactors/test/run-tests.js';
import { escapeMarkdown } from '../../../tenant-config/report/markdown.js';

/** Formats a line that reactor code wrote to its console: `log: charging 5`. */
export const formatConsoleLine = ({ level, message }: ConsoleLine): string => `${level}: ${message}`;

const INDENT = '          ';

function formatMismatch({ path, expected, actual }: CaseResult['mismatches'][number]): string {
  return `${path || 'response'}: expected ${expected}, got ${actual}`;
}

function formatCase(
  { name, passed, mismatches, console = [], stack = [], duration_ms }: CaseResult,
  style: Style,
): string[] {
  const status = passed ? style.green('passed') : style.red('failed');
  return [
    `  ${status}  ${escapeControls(name)}  ${style.dim(`${duration_ms} ms`)}`,
    ...mismatches.map((mismatch) => INDENT + escapeControls(formatMismatch(mismatch))),
    ...console.map((line) => style.dim(INDENT + escapeControls(formatConsoleLine(line)))),
    ...stack.map((frame) => style.dim(INDENT + escapeControls(frame))),
  ];
}

function formatReactor({ name, file, tests, cases, error }: ReactorTestReport, style: Style): string[] {
  const heading = `${style.bold(escapeControls(name))}  ${style.dim(tests ?? `${file} (no tests)`)}`;
  const [detail = '', ...messages] = formatErrorLines(error, INDENT);
  const failure = error ? [`  ${style.red('failed')}  ${detail.trimStart()}`, ...messages] : [];
  return [heading, ...failure, ...cases.flatMap((one) => formatCase(one, style))];
}

export function renderTests({ reactors, summary }: TestReport, style: Style): string {
  const lines = reactors.flatMap((reactor) => formatReactor(reactor, style));
  return [...lines, `${summary.passed} passed, ${summary.failed} failed`].join('\n');
}

export function formatTestSummary(given: TestReport): string {
  const { reactors, summary } = hideSecretsIn(given);
  const rows = reactors.flatMap(({ name, cases, error }) => [
    ...(error ? [[name, '', error.detail]] : []),
    ...cases
      .filter(({ passed }) => !passed)
      .map((one) => [name, one.name, one.mismatches.map(formatMismatch).join('; ')]),
  ]);
  return [
    `### Reactor tests: ${summary.passed} passed, ${summary.failed} failed`,
    ...(rows.length > 0 ? ['', '| reactor | case | |', '| --- | --- | --- |'] : []),
    ...rows.map((cells) => `| ${cells.map(escapeMarkdown).join(' | ')} |`),
    '',
  ].join('\n');
}

/** Formats an annotation for each failed case, and for each problem that kept cases from running; none outside of GitHub Actions. */
export function formatTestAnnotations(
  results: readonly ReactorTestResult[],
  { cwd, env }: Pick<Settings, 'cwd' | 'env'>,
): string[] {
  if (!isGitHubActions(env)) return [];
  return results.flatMap(({ name, file, tests = file, cases, error }) => [
    ...(error === undefined
      ? []
      : formatFailureAnnotations({ kind: 'reactor', name, file: tests, error }, cwd, env)),
    ...cases.filter(({ passed }) => !passed).map((one) => formatCaseAnnotation(name, one, cwd, env)),
  ]);
}

function formatCaseAnnotation(
  reactor: string,
  { name, mismatches, position }: CaseResult,
  cwd: string,
  env: Settings['env'],
): string {
  const file = position && displayPath(resolve(cwd, position.file), env.GITHUB_WORKSPACE ?? cwd);
  const message = mismatches.map(formatMismatch).join('\n');
  return formatAnnotation(`reactor ${reactor}: ${name}`, { ...position, file, message });
}
