import { PERMISSION_NAMES } from '../../../../contract/permissions.js';
import type { Context } from '../../../command.js';
import { CliError, declinedError, usageError } from '../../../lib/errors.js';
import { previewPlan } from '../../../tenant-config/apply/result.js';
import type { Plan } from '../../../tenant-config/plan/plan.js';
import { createReport, type ReportOptions } from '../../../tenant-config/report/report.js';
import { confirmDeletion, serviceName } from '../confirm.js';
import { confirmApplicationDeletion, confirmOwnRestriction } from '../lock-out.js';
import { renderReport } from './report-view.js';

export function hasChanges({ objects, deletions }: Plan): boolean {
  return deletions.length > 0 || objects.some(({ action }) => action === 'create' || action === 'update');
}

export function assertNotWeakened({ objects }: Plan, allowed: boolean): void {
  if (allowed) return;
  const errors = objects.flatMap((planned) =>
    planned.action !== 'fail' && planned.weakenings.length > 0
      ? [[`${planned.kind} ${planned.name}`, planned.weakenings]]
      : [],
  );
  if (errors.length > 0)
    throw new CliError('failed', 'The plan weakens security; nothing was changed.', {
      errors: Object.fromEntries(errors),
      hint: 'If that is intended, use --allow-weaken.',
    });
}

/** Asks before a plan deletes objects or changes a protected service, once and before anything is applied. */
export async function confirmDeletions(plan: Plan, context: Context): Promise<void> {
  const { deletions } = plan;
  if (deletions.length > 0) {
    const names = deletions.map(({ kind, name }) => `${kind} ${name}`).join(', ');
    await confirmDeletion(`${deletions.length === 1 ? '' : 'all of '}${names}`, context);
  }
  if (hasChanges(plan)) await (await context.client.connection()).beforeWrite?.();
}

export async function confirmPlan(
  plan: Plan,
  options: Omit<ReportOptions, 'dryRun'>,
  context: Context,
): Promise<void> {
  const { output, prompts, settings, client } = context;
  if (!hasChanges(plan)) return;
  if (!settings.yes) {
    const report = createReport(previewPlan(plan), { ...options, dryRun: true });
    output.notice(renderReport(report, output.style, false, output.settings.width));
    if (!prompts.interactive)
      throw usageError(
        'Applying requires --yes when prompts are disabled, or a plan file: tokenctl plan --out FILE.',
      );
    const message = `Apply this to ${await serviceName(context)}?`;
    if (!(await prompts.confirm({ message, flag: '--yes' }))) throw declinedError('Nothing was changed.');
  }
  await (await client.connection()).beforeWrite?.(true);
}

/** Asks for the name of the application in use before a plan takes its permissions: the next run would have no access. */
export async function confirmLockOut(
  { objects, deletions }: Plan,
  confirm: string | undefined,
  context: Context,
): Promise<void> {
  for (const planned of objects) {
    if (planned.action !== 'update' || planned.kind !== 'application' || !planned.before) continue;
    await confirmOwnRestriction(planned.before.id, planned.desired, confirm, context, PERMISSION_NAMES);
  }
  const deleted = deletions.filter(({ kind }) => kind === 'application').map(({ before }) => before.id);
  if (deleted.length > 0) await confirmApplicationDeletion(deleted, confirm, context);
}
