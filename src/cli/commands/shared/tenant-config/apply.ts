import { dirname, resolve } from 'node:path';
import type { Context } from '../../../command.js';
import { findUpwards, PROJECT_FILE_NAMES } from '../../../config/paths.js';
import type { Settings } from '../../../config/settings.js';
import { readDigestKey } from '../../../config/user-config.js';
import type { ProjectFlags } from '../../../flags/project-flags.js';
import { usageError } from '../../../lib/errors.js';
import { exclusively } from '../../../lib/exclusive-lock.js';
import { findManifest, type Manifest } from '../../../manifest/manifest.js';
import type { SmokeCase } from '../../../manifest/schema.js';
import { createProgress } from '../../../output/progress.js';
import { DeployedPositions } from '../../../reactors/build/deployed-positions.js';
import { applyPlan, isBlocked } from '../../../tenant-config/apply/apply-plan.js';
import type { ObjectResult } from '../../../tenant-config/apply/result.js';
import type { Declared } from '../../../tenant-config/declaration/declare.js';
import type { Scope } from '../../../tenant-config/declaration/read-config.js';
import { type LockFile, lockFilePath } from '../../../tenant-config/lock/lock-file.js';
import { assemblePlan, type Plan } from '../../../tenant-config/plan/plan.js';
import { type PlanFile, readPlanFile } from '../../../tenant-config/plan/plan-file.js';
import { readRemote } from '../../../tenant-config/plan/remote.js';
import { listRequiredPermissions } from '../../../tenant-config/plan/required-permissions.js';
import {
  assertDeletionsRecorded,
  assertPlanCurrent,
  declarePlanned,
  listPlannedDeletions,
} from '../../../tenant-config/plan/restored-plan.js';
import { type ReportOptions, throwFailures } from '../../../tenant-config/report/report.js';
import { FEW_OBJECTS } from '../../../tenant-config/resources/objects.js';
import { describeTenant, type TenantIdentity } from '../../../tenant-config/tenant-identity.js';
import { configurationSources, DEFAULT_CONCURRENCY } from '../project-options.js';
import { assertPermitted } from './assert-permitted.js';
import { readCommit } from './commit.js';
import {
  assertNotWeakened,
  confirmDeletions,
  confirmLockOut,
  confirmPlan,
  hasChanges,
} from './confirm-plan.js';
import { makePlan, openLock } from './make-plan.js';
import { reportOptions } from './plan.js';
import { printReport } from './report-view.js';
import { identifyTarget } from './service-identity.js';

interface ApplyRun {
  plan: Plan;
  lock: LockFile | undefined;
  smoke?: SmokeCase | undefined;
  partial: boolean;
  concurrency: number;
  report: Omit<ReportOptions, 'dryRun'>;
}

async function* showProgress(
  { objects, deletions }: Plan,
  { output }: Context,
  run: (onApplied?: () => void) => AsyncIterable<ObjectResult>,
): AsyncGenerator<ObjectResult, void, void> {
  const total = objects.length + deletions.length;
  if (!output.settings.animate || total <= FEW_OBJECTS) return yield* run();
  const progress = createProgress(output, { unit: 'objects', total });
  try {
    yield* run(() => progress.advance(1));
  } finally {
    progress.stop();
  }
}

async function apply(run: ApplyRun, context: Context): Promise<void> {
  const { plan, lock, smoke, concurrency, partial, report } = run;
  const { client, signal, settings } = context;
  if ((hasChanges(plan) || smoke) && !isBlocked(plan, partial))
    await assertPermitted(listRequiredPermissions(plan, smoke), report.tenant, client);
  const commit = lock && hasChanges(plan) ? await readCommit(settings.cwd) : undefined;
  const positions = new DeployedPositions(client, settings.cwd);
  const options = { client, lock, ids: plan.ids, smoke, positions, concurrency, commit, signal };
  const applied = showProgress(plan, context, (onApplied) =>
    applyPlan(plan, { ...options, onApplied }, { partial }),
  );
  try {
    throwFailures(await printReport(applied, { ...report, dryRun: false }, context));
  } finally {
    await lock?.save();
  }
}

/** Runs a task that changes what is recorded next to the manifest, which no other process may do meanwhile. */
export async function withManifestLock<Result>(
  { cwd, environment }: Pick<Settings, 'cwd' | 'environment'>,
  task: () => Promise<Result>,
): Promise<Result> {
  const path = findUpwards(cwd, PROJECT_FILE_NAMES);
  if (path === undefined) return task();
  const names = { what: `apply of ${path}`, again: 'apply again' };
  return exclusively(`${lockFilePath({ path, environment })}.apply`, names, task);
}

interface ScopeOptions {
  scope: Scope;
  /** Shows the plan and asks; otherwise only deletions are asked about. */
  asks?: boolean;
  smoke?: SmokeCase | undefined;
  /** Receives the paths of the files that the result depends on. */
  inputs?: Set<string>;
}

export function runApply(
  flags: ProjectFlags,
  { scope, asks = false, smoke, inputs }: ScopeOptions,
  context: Context,
): Promise<void> {
  return withManifestLock(context.settings, async () => {
    const made = await makePlan(scope, flags, context, { needsIdentity: true, inputs });
    const { plan, lock, config } = made;
    const { concurrency } = config.project;
    if (smoke && plan.objects.length > 1) throw usageError('--smoke tests one reactor; name its file.');
    const report = await reportOptions(plan, config.project.manifest, flags, context);
    assertNotWeakened(plan, flags.allowWeaken ?? false);
    await confirmLockOut(plan, flags.confirm, context);
    await (asks ? confirmPlan(plan, report, context) : confirmDeletions(plan, context));
    await apply({ plan, lock, smoke, partial: flags.partial ?? false, concurrency, report }, context);
  });
}

/** Applies objects that were declared otherwise than by the files, without asking. */
export async function applyDeclared(
  declared: readonly Declared[],
  { manifest, lock, tenant }: { manifest: Manifest; lock: LockFile; tenant: TenantIdentity },
  context: Context,
): Promise<void> {
  const remote = await readRemote(context.client, declared, [], context.signal);
  const plan = { ...assemblePlan(declared, remote), tenant };
  const report = await reportOptions(plan, manifest, {}, context);
  await apply({ plan, lock, partial: false, concurrency: 1, report }, context);
}

export type ApplyFileFlags = ProjectFlags & { plan: string };

const describeEnvironment = (name: string | undefined): string =>
  name === undefined ? 'no environment' : `the environment ${name}`;

async function assertTarget({ target, environment }: PlanFile, { client, settings }: Context): Promise<void> {
  const hint =
    environment === undefined
      ? 'Make a plan of the environment: tokenctl plan --environment NAME --out FILE'
      : `Choose its environment: --environment ${environment}`;
  if (settings.environment !== undefined && settings.environment !== environment)
    throw usageError(
      `The plan is for ${describeEnvironment(environment)}, not for ${describeEnvironment(settings.environment)}.`,
      hint,
    );
  const { url } = (await client.connection()).transport;
  if (target !== url) throw usageError(`The plan is for ${target}, but the target is ${url}.`, hint);
}

function assertTenant({ tenant }: PlanFile, actual: TenantIdentity): void {
  if (tenant.id === actual.id) return;
  throw usageError(
    `The plan is for the ${describeTenant(tenant)}, but the key belongs to the ${describeTenant(actual)}.`,
    'Use a key of that tenant, or make a plan for this one: tokenctl plan',
  );
}

export async function runApplyFile(flags: ApplyFileFlags, context: Context): Promise<void> {
  const digestKey = await readDigestKey(context.settings);
  const file = await readPlanFile(resolve(context.settings.cwd, flags.plan), digestKey);
  await assertTarget(file, context);
  const { cwd } = context.settings;
  await withManifestLock({ cwd, environment: file.environment }, () =>
    applyFile(file, digestKey, flags, context),
  );
}

async function applyFile(
  file: PlanFile,
  digestKey: string,
  flags: ApplyFileFlags,
  context: Context,
): Promise<void> {
  const { client, settings, signal } = context;
  const concurrency = flags.concurrency ?? DEFAULT_CONCURRENCY;
  const manifest = await findManifest(settings.cwd, file.environment);
  const target = await identifyTarget(manifest, context);
  const { tenant } = target;
  assertTenant(file, tenant);
  const lock = await openLock(manifest, target, flags, context);
  const sources = { ...configurationSources(flags, context), directory: manifest && dirname(manifest.path) };
  const declared = await declarePlanned(file, manifest, sources);
  const remote = await readRemote(client, declared, listPlannedDeletions(file), signal);
  const plan = { ...assemblePlan(declared, remote), tenant };
  assertPlanCurrent(file, plan, digestKey);
  assertDeletionsRecorded(plan, lock);
  assertNotWeakened(plan, flags.allowWeaken ?? false);
  await confirmLockOut(plan, flags.confirm, context);
  await confirmDeletions(plan, context);
  const report = { ...(await reportOptions(plan, manifest, flags, context)), environment: file.environment };
  await apply({ plan, lock, partial: false, concurrency, report }, context);
}
