import type { Context } from '../../command.js';
import { CliError } from '../../lib/errors.js';
import type { PlannedReactor } from '../../reactors/plan/plan.js';
import { renderPlan, shownPlan } from './shared/plan-view.js';
import { planAll } from './shared/planning.js';
import { type ProjectOptions, selectionOf } from './shared/project.js';

export interface DiffOptions extends ProjectOptions {
  exitCode?: boolean | undefined;
}

export async function run(options: DiffOptions, context: Context): Promise<void> {
  const { entries } = await selectionOf(options, context);
  const reactors = await planAll(entries, options, context);
  await context.output.result(shownPlan(reactors), {
    redaction: 'plain',
    render: (shown: PlannedReactor[], style) => renderPlan(shown, style),
  });
  const differing = reactors.filter(({ action }) => action !== 'unchanged');
  if (options.exitCode && differing.length > 0)
    throw new CliError('difference', `${differing.length} of ${reactors.length} reactors differ.`, {
      hint: 'Deploy them: tokenctl reactor deploy.',
    });
}
