import type { ConsoleLine } from '../../../emulator/reactor-runner.js';
import { printable, type Style } from '../../../output/style.js';
import { annotation, inGitHubActions } from '../../../reactors/report/github.js';
import type { CaseReport, ReactorTestReport, TestReport } from '../../../reactors/report/test-report.js';

type Env = Readonly<Record<string, string | undefined>>;

export const consoleLine = ({ level, message }: ConsoleLine): string => `${level}: ${message}`;

function mismatchLine({ path, expected, actual }: CaseReport['mismatches'][number]): string {
  return `${path || 'the answer'}: expected ${expected}, got ${actual}`;
}

function caseLines(
  { name, passed, mismatches, console = [], duration_ms }: CaseReport,
  style: Style,
): string[] {
  const mark = passed ? style.green('passed') : style.red('failed');
  return [
    `  ${mark}  ${printable(name)}  ${style.dim(`${duration_ms} ms`)}`,
    ...mismatches.map((mismatch) => `          ${printable(mismatchLine(mismatch))}`),
    ...console.map((line) => style.dim(`          ${printable(consoleLine(line))}`)),
  ];
}

function reactorLines({ name, file, tests, cases, error }: ReactorTestReport, style: Style): string[] {
  const heading = `${style.bold(printable(name))}  ${style.dim(tests ?? `${file} (no tests)`)}`;
  const messages = Object.entries(error?.errors ?? {}).flatMap(([path, texts]) =>
    texts.map((text) => `          ${printable(`${path}: ${text}`)}`),
  );
  const failure = error ? [`  ${style.red('failed')}  ${printable(error.detail)}`, ...messages] : [];
  return [heading, ...failure, ...cases.flatMap((one) => caseLines(one, style))];
}

/** Each reactor with its cases; below a failed one what was expected and what came. */
export function renderTests({ reactors, summary }: TestReport, style: Style): string {
  const lines = reactors.flatMap((reactor) => reactorLines(reactor, style));
  return [...lines, `${summary.passed} passed, ${summary.failed} failed`].join('\n');
}

/** In GitHub Actions, one annotation per failed case. */
export function annotateTests(
  reactors: readonly ReactorTestReport[],
  env: Env,
  write: (line: string) => void,
): void {
  if (!inGitHubActions(env)) return;
  for (const { name, file, tests = file, cases, error } of reactors) {
    if (error) write(annotation(`reactor ${name}`, { file: tests, message: error.detail }));
    for (const one of cases)
      if (!one.passed)
        write(
          annotation(`reactor ${name}: ${one.name}`, {
            file: tests,
            message: one.mismatches.map(mismatchLine).join('\n'),
          }),
        );
  }
}
