import type { Context } from '../command.js';
import type { ProjectFlags } from '../flags/project-flags.js';
import { usageError } from '../lib/errors.js';
import { findManifest } from '../manifest/manifest.js';
import { formatYaml } from '../output/format.js';
import { type AdoptOptions, adoptObject } from '../tenant-config/apply/record.js';
import { type ObjectResult, preview } from '../tenant-config/apply/result.js';
import { WHOLE_TENANT } from '../tenant-config/declaration/read-config.js';
import type { Plan } from '../tenant-config/plan/plan.js';
import { throwFailures } from '../tenant-config/report/report.js';
import { runApply, runApplyFile, withManifestLock } from './shared/tenant-config/apply.js';
import { makePlan, readKeyId } from './shared/tenant-config/make-plan.js';
import {
  type DiffFlags,
  type PlanFlags,
  reportOptions,
  runDiff,
  runPlan,
} from './shared/tenant-config/plan.js';
import { printReport } from './shared/tenant-config/report-view.js';

export async function plan(flags: PlanFlags, context: Context) {
  await runPlan(WHOLE_TENANT, flags, context, 'tokenctl apply');
}

export async function apply(
  { plan, ...flags }: ProjectFlags & { plan: string | undefined },
  context: Context,
) {
  if (plan === undefined) return runApply(flags, { scope: WHOLE_TENANT, asks: true }, context);
  if (flags.prune)
    throw usageError('--prune cannot be combined with a plan file; it belongs to tokenctl plan.');
  return runApplyFile({ ...flags, plan }, context);
}

export async function diff(flags: DiffFlags, context: Context) {
  await runDiff(WHOLE_TENANT, flags, context, 'tokenctl apply');
}

/** Selects objects of a plan by kind or by kind and name. @throws {CliError} if the manifest declares none of them */
function select({ objects }: Plan, selectors: readonly string[]): Plan['objects'] {
  const declared = objects.filter(({ kind }) => kind !== 'tenant');
  const matches = ({ kind, name }: Plan['objects'][number], selector: string) =>
    selector === kind || selector === `${kind}/${name}`;
  for (const selector of selectors)
    if (!declared.some((object) => matches(object, selector)))
      throw usageError(
        `The manifest declares no ${JSON.stringify(selector)}.`,
        'Name objects as it declares them, by kind or by kind and name: reactor, reactor/charge',
      );
  if (selectors.length === 0) return declared;
  return declared.filter((object) => selectors.some((selector) => matches(object, selector)));
}

/** Prints the manifest as an environment has it. */
export async function showManifest(_: object, { output, settings }: Context): Promise<void> {
  const manifest = await findManifest(settings.cwd, settings.environment, settings.env);
  if (!manifest) throw usageError('There is no tokenctl.json or tokenctl.yaml in this directory or above.');
  const { $schema, environments, variables, defaults, ...content } = manifest.content;
  const text = await formatYaml(content);
  await output.result(content, { redaction: 'plain', render: () => text });
}

async function* adoptAll(objects: Plan['objects'], options: AdoptOptions): AsyncGenerator<ObjectResult> {
  try {
    for (const planned of objects)
      yield planned.action === 'fail' ? preview(planned) : await adoptObject(planned, options);
  } finally {
    await options.lock.save();
  }
}

export function adopt(
  { object, ...flags }: ProjectFlags & { object: string[] },
  context: Context,
): Promise<void> {
  return withManifestLock(context.settings, () => adoptObjects(object, flags, context));
}

async function adoptObjects(
  selectors: readonly string[],
  flags: ProjectFlags,
  context: Context,
): Promise<void> {
  const made = await makePlan(WHOLE_TENANT, flags, context, { needsIdentity: true });
  const { plan, lock, config } = made;
  if (!config.project.manifest)
    throw usageError('There is no tokenctl.json or tokenctl.yaml in this directory or above to adopt for.');
  if (!lock) throw usageError('Nothing is recorded of an emulator that ends with its command.');
  const objects = select(plan, selectors);
  const options = { lock, ids: plan.ids, readKeyId: readKeyId(context.client) };
  const report = { ...reportOptions(plan, config.project.manifest, flags, context), dryRun: false };
  throwFailures(await printReport(adoptAll(objects, options), report, context));
}
