import { stat } from 'node:fs/promises';
import type { Context } from '../../../command.js';
import { type Attempt, attempt, unwrap } from '../../../lib/attempt.js';
import { CliError } from '../../../lib/errors.js';
import { type Config, readConfig, type Scope } from '../../../tenant-config/declaration/read-config.js';
import { LockFile, type LockOwner } from '../../../tenant-config/lock/lock-file.js';
import { listForgotten, listPruneCandidates } from '../../../tenant-config/lock/prune.js';
import { assemblePlan, type Plan } from '../../../tenant-config/plan/plan.js';
import { readRemote } from '../../../tenant-config/plan/remote.js';
import { type ConfigFlags, configOptions } from './flags.js';
import { identifyTarget, isTenantGone, type TargetIdentity } from './service-identity.js';

const isUsageError = (outcome: Attempt<unknown>): boolean =>
  !outcome.ok && outcome.error instanceof CliError && outcome.error.failure.category === 'usage';

/** A plan and what it was made from. */
export interface MadePlan {
  config: Config;
  /** undefined without a manifest, and for a service whose objects are not recorded. */
  lock: LockFile | undefined;
  plan: Plan;
}

/**
 * Opens the records of the target next to the manifest.
 * @param retarget whether the target may be another tenant than the recorded one
 * @throws {CliError} if it is another one
 */
export async function openLock(
  manifest: LockOwner | undefined,
  { service }: TargetIdentity,
  { retarget = false }: Pick<ConfigFlags, 'retarget'>,
  context: Context,
): Promise<LockFile | undefined> {
  if (!manifest || !service) return undefined;
  return LockFile.open(manifest, service, async (tenantId, path) => {
    if (retarget) return true;
    return service.isOnThisMachine && isTenantGone(tenantId, (await stat(path)).mtimeMs, context);
  });
}

/**
 * Reads the files and the service and compares them.
 * @param needsIdentity whether the tenant must be known
 * @param inputs receives the paths of the files that the plan depends on
 */
export async function makePlan(
  scope: Scope,
  flags: ConfigFlags,
  context: Context,
  { needsIdentity, inputs }: { needsIdentity: boolean; inputs?: Set<string> | undefined },
): Promise<MadePlan> {
  const { client, signal } = context;
  const config = await readConfig(scope, configOptions(flags, context), signal);
  for (const path of config.inputs) inputs?.add(path);
  const { manifest, concurrency, prune } = config.project;
  const identified = await attempt(signal, () => identifyTarget(manifest, context));
  // A plan that is only shown says for each object why the service cannot be read.
  if (needsIdentity || prune || isUsageError(identified)) unwrap(identified);
  const target = identified.ok ? identified.value : undefined;
  const lock = target && (await openLock(manifest, target, flags, context));
  const candidates = listPruneCandidates(config, lock);
  const remote = await readRemote(client, config.declared, candidates, { concurrency, signal });
  const plan = assemblePlan(config.declared, remote);
  const forgotten = [...plan.forgotten, ...listForgotten(config, lock)];
  return { config, lock, plan: { ...plan, tenant: target?.tenant, forgotten } };
}
