import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { ApplicationType } from '../../../../contract/application-types.js';
import { PERMISSIONS, type Permission } from '../../../../contract/permissions.js';
import type { Context } from '../../../command.js';
import type { Settings } from '../../../config/settings.js';
import { readDigestKey } from '../../../config/user-config.js';
import type { Options } from '../../../flags/flag.js';
import type { ProjectFlags } from '../../../flags/project-flags.js';
import { assertWritable } from '../../../lib/atomic-write.js';
import { CliError } from '../../../lib/errors.js';
import { setOutputs } from '../../../lib/github.js';
import { countOf, shellQuote } from '../../../lib/text.js';
import type { Manifest } from '../../../manifest/manifest.js';
import { displayPath } from '../../../reactors/project/selection.js';
import { type ObjectResult, previewPlan, toResult } from '../../../tenant-config/apply/result.js';
import type { Scope } from '../../../tenant-config/declaration/read-config.js';
import type { Plan } from '../../../tenant-config/plan/plan.js';
import { assertNoManifest, writePlanFile } from '../../../tenant-config/plan/plan-file.js';
import { listRequiredPermissions } from '../../../tenant-config/plan/required-permissions.js';
import { listUnmanaged } from '../../../tenant-config/plan/unmanaged.js';
import { type ReportOptions, throwFailures } from '../../../tenant-config/report/report.js';
import { type MadePlan, makePlan } from './make-plan.js';
import { printReport } from './report-view.js';

const PERMISSIONS_VERSION = 1;

export type PlanFlags = ProjectFlags & Options<'out'> & Options<'exitCode' | 'permissions', boolean>;

export type DiffFlags = ProjectFlags & Options<'exitCode' | 'unmanaged', boolean>;

export async function reportOptions(
  { target, tenant }: Plan,
  manifest: Manifest | undefined,
  { summary }: ProjectFlags,
  { settings }: Context,
): Promise<Omit<ReportOptions, 'dryRun'>> {
  const summaryFile = summary === undefined ? undefined : resolve(settings.cwd, summary);
  if (summaryFile !== undefined) await assertWritable(summaryFile, '--summary');
  return {
    target,
    tenant,
    manifest: manifest && displayPath(manifest.path, settings.cwd),
    environment: manifest?.environment,
    summaryFile,
  };
}

interface PrintOptions {
  needsIdentity?: boolean;
  unmanaged?: boolean | undefined;
  inputs?: Set<string>;
}

async function printPlan(
  scope: Scope,
  flags: ProjectFlags,
  context: Context,
  { needsIdentity = false, unmanaged = false, inputs }: PrintOptions = {},
): Promise<{ made: MadePlan; results: ObjectResult[] }> {
  // The engine loads each reactor once. To compile its interpreter for speed takes 20 MB. Nothing else runs reactors here.
  setFlagsFromString('--liftoff-only');
  const made = await makePlan(scope, flags, context, { needsIdentity, inputs });
  const { plan, config } = made;
  const stored = unmanaged ? await listUnmanaged(context.client, plan, config.names) : [];
  const undeclared = stored
    .map(({ kind, id, content: { name } }) => toResult({ kind, name, id, status: 'unmanaged' }))
    .filter(config.selection.includes);
  const results = await printReport(
    [...previewPlan(plan), ...undeclared],
    { ...(await reportOptions(plan, config.project.manifest, flags, context)), dryRun: true },
    context,
  );
  return { made, results };
}

export async function previewDeploy(
  scope: Scope,
  flags: ProjectFlags,
  context: Context,
  inputs: Set<string>,
): Promise<void> {
  const { results } = await printPlan(scope, flags, context, { inputs });
  throwFailures(results);
}

async function printPermissions(scope: Scope, flags: ProjectFlags, context: Context): Promise<void> {
  const { plan } = await makePlan(scope, flags, context, { needsIdentity: false });
  throwFailures(previewPlan(plan));
  const required = [...listRequiredPermissions(plan).keys()];
  const isPrivate = (permission: Permission) =>
    (PERMISSIONS[permission].types as readonly ApplicationType[]).includes('private');
  const byType = {
    management: required.filter((permission) => !isPrivate(permission)),
    private: required.filter(isPrivate),
  };
  const { target, tenant } = plan;
  const { environment } = context.settings;
  await context.output.result(
    { version: PERMISSIONS_VERSION, target, tenant, environment, permissions: byType },
    {
      redaction: 'plain',
      render: () =>
        Object.entries(byType)
          .filter(([, names]) => names.length > 0)
          .map(([type, names]) => `${type}: ${names.join(',')}`)
          .join('\n'),
    },
  );
}

function noticeUndeclared({ undeclared }: MadePlan, { prune }: ProjectFlags, { output }: Context): void {
  if (prune || undeclared.length === 0) return;
  const count = `${countOf(undeclared.length, 'object')} of earlier applies`;
  output.notice(
    `${count} ${undeclared.length === 1 ? 'is' : 'are'} no longer declared; --prune deletes them, \`forget\` keeps them.`,
  );
}

function assertNoDifference(results: readonly ObjectResult[], hint: string): void {
  const different = results.filter(({ status }) => status !== 'unchanged');
  if (different.length === 0) return;
  const verb = different.length === 1 ? 'differs' : 'differ';
  throw new CliError('difference', `${different.length} of ${countOf(results.length, 'object')} ${verb}.`, {
    hint,
  });
}

async function setPlanOutputs(
  results: readonly ObjectResult[],
  out: string | undefined,
  env: Settings['env'],
) {
  const changed = results.some(({ status }) => status !== 'unchanged');
  const weakens = results.some(({ weakenings }) => weakenings.length > 0);
  await setOutputs({ changed: `${changed}`, weakens: `${weakens}`, plan: out ?? '' }, env);
}

/** Shows what an apply would change, and writes it to a file unless it has failures. */
export async function runPlan(
  scope: Scope,
  { out, exitCode, permissions, ...flags }: PlanFlags,
  context: Context,
  applyCommand: string,
): Promise<void> {
  if (permissions) return printPermissions(scope, flags, context);
  const { settings } = context;
  if (out !== undefined) assertNoManifest(resolve(settings.cwd, out));
  const { made, results } = await printPlan(scope, flags, context, { needsIdentity: out !== undefined });
  throwFailures(results);
  noticeUndeclared(made, flags, context);
  if (out !== undefined) await savePlan(out, made, context, applyCommand);
  await setPlanOutputs(results, out, settings.env);
  if (exitCode) assertNoDifference(results, `Apply the changes: ${applyCommand}${environmentFlag(settings)}`);
}

async function savePlan(
  out: string,
  { plan, config }: MadePlan,
  { settings, output }: Context,
  applyCommand: string,
): Promise<void> {
  const { tenant } = plan;
  if (!tenant) return;
  await writePlanFile(resolve(settings.cwd, out), plan, {
    tenant,
    environment: config.project.manifest?.environment,
    digestKey: await readDigestKey(settings),
  });
  output.notice(
    `Wrote the plan to ${out}. Apply it: ${applyCommand}${environmentFlag(settings)} ${shellQuote(out)}`,
  );
}

export async function runDiff(
  scope: Scope,
  { exitCode, unmanaged, ...flags }: DiffFlags,
  context: Context,
  applyCommand: string,
): Promise<void> {
  // A comparison with another tenant than the recorded one does no harm.
  const { results } = await printPlan(scope, { ...flags, retarget: true }, context, { unmanaged });
  throwFailures(results);
  // What is not declared is no difference: an apply would leave it as it is.
  const compared = results.filter(({ status }) => status !== 'unmanaged');
  const { settings } = context;
  if (exitCode)
    assertNoDifference(compared, `Apply the changes: ${applyCommand}${environmentFlag(settings)}`);
}

const environmentFlag = ({ environment }: Context['settings']): string =>
  environment === undefined ? '' : ` --environment ${shellQuote(environment)}`;
