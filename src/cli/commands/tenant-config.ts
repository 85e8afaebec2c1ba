import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../command.js';
import type { ProjectFlags } from '../flags/project-flags.js';
import { noProjectError, usageError } from '../lib/errors.js';
import { findManifest } from '../manifest/manifest.js';
import { formatYaml } from '../output/format.js';
import { type AdoptOptions, adoptObject } from '../tenant-config/apply/record.js';
import { type ObjectResult, preview } from '../tenant-config/apply/result.js';
import { isObjectPattern } from '../tenant-config/declaration/object-selection.js';
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

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

interface ObjectArguments {
  object?: string[];
  only?: string[] | undefined;
}

const limitTo = <Flags extends ObjectArguments>({ object = [], ...flags }: Flags) => ({
  ...flags,
  only: [...object, ...(flags.only ?? [])],
});

export async function plan(flags: PlanFlags & ObjectArguments, context: Context) {
  await runPlan(WHOLE_TENANT, limitTo(flags), context, 'tokenctl apply');
}

export async function apply(flags: ProjectFlags & ObjectArguments, context: Context) {
  const { object = [], prune, only, exclude } = flags;
  const { cwd } = context.settings;
  const file = object.find((text) => !isObjectPattern(text) || isFile(resolve(cwd, text)));
  if (file === undefined) return runApply(limitTo(flags), { scope: WHOLE_TENANT, asks: true }, context);
  if (object.length > 1) throw usageError('apply takes one plan file, or objects such as reactor/charge.');
  if (prune || only || exclude)
    throw usageError(
      `--${prune ? 'prune' : only ? 'only' : 'exclude'} cannot be combined with a plan file; it belongs to tokenctl plan.`,
    );
  return runApplyFile({ ...flags, plan: file }, context);
}

export async function diff(flags: DiffFlags & ObjectArguments, context: Context) {
  await runDiff(WHOLE_TENANT, limitTo(flags), context, 'tokenctl apply');
}

export async function showManifest(_: object, { output, settings }: Context): Promise<void> {
  const manifest = await findManifest(settings.cwd, settings.environment, settings.env);
  if (!manifest) throw noProjectError();
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

export function adopt(flags: ProjectFlags & ObjectArguments, context: Context): Promise<void> {
  return withManifestLock(context.settings, () => adoptObjects(limitTo(flags), context));
}

async function adoptObjects(flags: ProjectFlags, context: Context): Promise<void> {
  const made = await makePlan(WHOLE_TENANT, flags, context, { needsIdentity: true });
  const { plan, lock, config } = made;
  if (!config.project.manifest) throw noProjectError();
  if (!lock) throw usageError('Nothing is recorded of an emulator that ends with its command.');
  const objects = plan.objects.filter(({ kind }) => kind !== 'tenant');
  const options = { lock, ids: plan.ids, readKeyId: readKeyId(context.client) };
  const report = { ...(await reportOptions(plan, config.project.manifest, flags, context)), dryRun: false };
  throwFailures(await printReport(adoptAll(objects, options), report, context));
}
