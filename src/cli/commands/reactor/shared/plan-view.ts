import type { Context } from '../../../command.js';
import { toFailure } from '../../../lib/failure.js';
import { escapeControls, type Style } from '../../../output/style.js';
import type { FailedReactor, Plan } from '../../../reactors/plan/plan.js';
import { type PlannedRow, toRows } from '../../../reactors/plan/plan-file.js';
import { formatFailureAnnotations, isGitHubActions } from '../../../reactors/report/github.js';
import { throwFailures } from '../../shared/batch.js';
import { paintDiff } from './diff-view.js';

/** Bumped when the JSON of `reactor plan` and `reactor diff` changes incompatibly. */
const REPORT_VERSION = 1;

type PrintedRow = Omit<PlannedRow, 'code' | 'minified'>;

interface PlanReport {
  version: typeof REPORT_VERSION;
  reactors: PrintedRow[];
}

const COLORS: Record<PlannedRow['action'], keyof Style> = {
  create: 'green',
  update: 'yellow',
  unchanged: 'dim',
  delete: 'red',
};
const ACTION_WIDTH = 'unchanged'.length;

/** Formats one line for each reactor, followed by its diff. */
function renderPlan({ reactors }: PlanReport, style: Style): string {
  return reactors
    .map(({ action, name, diff }) => {
      const line = `${style[COLORS[action]](action.padEnd(ACTION_WIDTH))}  ${escapeControls(name)}`;
      return diff ? `${line}\n${paintDiff(diff, style)}` : line;
    })
    .join('\n');
}

/** Prints a plan. JSON omits the code, which the diff shows. */
export async function printPlan(plan: Plan, { output }: Context): Promise<void> {
  const reactors = toRows(plan).map(({ code: _code, minified: _minified, ...row }): PrintedRow => row);
  const report: PlanReport = { version: REPORT_VERSION, reactors };
  await output.result(report, { redaction: 'plain', render: renderPlan });
}

/**
 * Refuses a plan with reactors that could not be planned: half a plan must not be reviewed or applied.
 * @throws the error of a single reactor, or one error for several.
 */
export function assertComplete({ reactors }: Plan, { output, settings, signal }: Context): void {
  signal.throwIfAborted();
  const failed = reactors.filter((planned): planned is FailedReactor => planned.action === 'fail');
  if (isGitHubActions(settings.env))
    for (const reactor of failed)
      for (const line of formatFailureAnnotations(reactor, settings.cwd, settings.env)) output.notice(line);
  if (reactors.length === 1 && failed[0]) throw failed[0].error;
  const failures = failed.map(({ name, error }) => ({ id: name, failure: toFailure(error) }));
  throwFailures(failures, reactors.length, 'reactors');
}
