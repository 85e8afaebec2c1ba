import type { Context } from '../../../command.js';
import { type Config, readConfig, type Scope } from '../../../tenant-config/declaration/read-config.js';
import { LockFile, type LockOwner } from '../../../tenant-config/lock/lock-file.js';
import { listForgotten, listPruneCandidates } from '../../../tenant-config/lock/prune.js';
import { assemblePlan, type Plan } from '../../../tenant-config/plan/plan.js';
import { readRemote } from '../../../tenant-config/plan/remote.js';
import { type ConfigFlags, configOptions } from './flags.js';
import { identifyService } from './service-identity.js';

/** A plan and what it was made from. */
export interface MadePlan {
  config: Config;
  /** undefined without a manifest, and for a service whose objects are not recorded. */
  lock: LockFile | undefined;
  plan: Plan;
}

/** Opens the records of the target next to the manifest. */
export async function openLock(
  manifest: LockOwner | undefined,
  context: Context,
): Promise<LockFile | undefined> {
  const service = manifest && (await identifyService(context));
  return service && LockFile.open(manifest, service);
}

/**
 * Reads the files and the service and compares them.
 * @param needsLock whether what was created must be known
 * @param inputs receives the paths of the files that the plan depends on
 */
export async function makePlan(
  scope: Scope,
  flags: ConfigFlags,
  context: Context,
  { needsLock, inputs }: { needsLock: boolean; inputs?: Set<string> | undefined },
): Promise<MadePlan> {
  const { client, signal } = context;
  const config = await readConfig(scope, configOptions(flags, context), signal);
  for (const path of config.inputs) inputs?.add(path);
  const { manifest, concurrency, prune } = config.project;
  const lock = needsLock || prune ? await openLock(manifest, context) : undefined;
  const candidates = listPruneCandidates(config, lock);
  const remote = await readRemote(client, config.declared, candidates, { concurrency, signal });
  const plan = assemblePlan(config.declared, remote);
  return { config, lock, plan: { ...plan, forgotten: [...plan.forgotten, ...listForgotten(config, lock)] } };
}
