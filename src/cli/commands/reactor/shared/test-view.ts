import { escapeControls, type Style } from '../../../output/style.js';
import { formatAnnotation, isGitHubActions } from '../../../reactors/report/github.js';
import type { CaseReport, ReactorTestReport, TestReport } from '../../../reactors/report/test-report.js';
import { formatConsoleLine } from './console-view.js';
import { formatErrorLines } from './error-lines.js';

const INDENT = '          ';

function formatMismatch({ path, expected, actual }: CaseReport['mismatches'][number]): string {
  return `${path || 'response'}: expected ${expected}, got ${actual}`;
}

function formatCase(
  { name, passed, mismatches, console = [], duration_ms }: CaseReport,
  style: Style,
): string[] {
  const status = passed ? style.green('passed') : style.red('failed');
  return [
    `  ${status}  ${escapeControls(name)}  ${style.dim(`${duration_ms} ms`)}`,
    ...mismatches.map((mismatch) => INDENT + escapeControls(formatMismatch(mismatch))),
    ...console.map((line) => style.dim(INDENT + escapeControls(formatConsoleLine(line)))),
  ];
}

function formatReactor({ name, file, tests, cases, error }: ReactorTestReport, style: Style): string[] {
  const heading = `${style.bold(escapeControls(name))}  ${style.dim(tests ?? `${file} (no tests)`)}`;
  const [detail = '', ...messages] = formatErrorLines(error, INDENT);
  const failure = error ? [`  ${style.red('failed')}  ${detail.trimStart()}`, ...messages] : [];
  return [heading, ...failure, ...cases.flatMap((one) => formatCase(one, style))];
}

/** Formats each reactor with its cases; a failed case is followed by its mismatches and its console. */
export function renderTests({ reactors, summary }: TestReport, style: Style): string {
  const lines = reactors.flatMap((reactor) => formatReactor(reactor, style));
  return [...lines, `${summary.passed} passed, ${summary.failed} failed`].join('\n');
}

function formatReactorAnnotations({ name, file, tests = file, cases, error }: ReactorTestReport): string[] {
  const failure = error ? [formatAnnotation(`reactor ${name}`, { file: tests, message: error.detail })] : [];
  const failed = cases.filter(({ passed }) => !passed);
  return [
    ...failure,
    ...failed.map((one) =>
      formatAnnotation(`reactor ${name}: ${one.name}`, {
        file: tests,
        message: one.mismatches.map(formatMismatch).join('\n'),
      }),
    ),
  ];
}

/** Formats an annotation for each failed case; none outside of GitHub Actions. */
export function formatTestAnnotations(
  { reactors }: TestReport,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  return isGitHubActions(env) ? reactors.flatMap(formatReactorAnnotations) : [];
}
