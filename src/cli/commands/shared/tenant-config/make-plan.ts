import { stat } from 'node:fs/promises';
import type { Client } from '../../../../client/client.js';
import { operationRow } from '../../../../contract/operations.js';
import type { KeyNeed } from '../../../../contract/permissions.js';
import type { Context } from '../../../command.js';
import type { ProjectFlags } from '../../../flags/project-flags.js';
import { type Attempt, attempt, unwrap } from '../../../lib/attempt.js';
import { CliError } from '../../../lib/errors.js';
import { readKeyOwner } from '../../../lib/key-owner.js';
import { readProject } from '../../../reactors/project/project.js';
import { ObjectSelection } from '../../../tenant-config/declaration/object-selection.js';
import { type Config, readConfig, type Scope } from '../../../tenant-config/declaration/read-config.js';
import type { LockedObject } from '../../../tenant-config/lock/lock-content.js';
import { LockFile, type LockOwner } from '../../../tenant-config/lock/lock-file.js';
import { assemblePlan, type Plan } from '../../../tenant-config/plan/plan.js';
import { readRemote } from '../../../tenant-config/plan/remote.js';
import { KINDS, type Kind } from '../../../tenant-config/resources/content.js';
import { listNamed, operationsOn } from '../../../tenant-config/resources/objects.js';
import { projectOptions } from '../project-options.js';
import { identifyTarget, isTenantGone, type TargetIdentity } from './service-identity.js';

const isUsageError = (outcome: Attempt<unknown>): boolean =>
  !outcome.ok && outcome.error instanceof CliError && outcome.error.failure.category === 'usage';

export interface MadePlan {
  config: Config;
  /** undefined without a manifest, and for a service whose objects are not recorded. */
  lock: LockFile | undefined;
  /** What earlier applies created and the manifest no longer declares. */
  undeclared: readonly LockedObject[];
  plan: Plan;
}

/** Opens the records of the target. @param retarget whether the target may be another tenant than the recorded one */
export async function openLock(
  manifest: LockOwner | undefined,
  { service }: TargetIdentity,
  { retarget = false }: Pick<ProjectFlags, 'retarget'>,
  context: Context,
): Promise<LockFile | undefined> {
  if (!manifest || !service) return undefined;
  const lock = await LockFile.open(manifest, service, async (tenantId, path) => {
    if (retarget) return true;
    return service.isOnThisMachine && isTenantGone(tenantId, (await stat(path)).mtimeMs, context);
  });
  await resolveIntents(lock, context.client);
  return lock;
}

/** Returns a function that returns the ID of the application whose key manages a kind. It asks once for each permission. */
export function readKeyId(client: Client): (kind: Kind) => Promise<string | undefined> {
  const ids = new Map<KeyNeed, Promise<string | undefined>>();
  return (kind) => {
    const { permission } = operationRow(operationsOn(kind).list);
    const known = ids.get(permission);
    if (known) return known;
    const id = readKeyOwner(client, permission).then((owner) => owner.id);
    ids.set(permission, id);
    return id;
  };
}

/** Finds what an interrupted apply created: the only object of an intent's kind and name, unless another application created it. */
async function resolveIntents(lock: LockFile, client: Client): Promise<void> {
  const keyId = readKeyId(client);
  for (const kind of KINDS) {
    const intents = lock.intents.filter((intent) => intent.kind === kind);
    const stored = await listNamed(client, kind, new Set(intents.map(({ name }) => name)));
    for (const intent of intents) {
      const [found, ...others] = stored.filter(({ content }) => content.name === intent.name);
      const isOurs = found?.createdBy === undefined || found.createdBy === (await keyId(kind));
      if (found && others.length === 0 && isOurs) lock.add({ ...intent, id: found.id });
      else lock.withdraw(intent);
    }
  }
}

/** Reads the files and the service and compares them. @param inputs receives the paths of the files that the plan depends on */
export async function makePlan(
  scope: Scope,
  flags: ProjectFlags,
  context: Context,
  { needsIdentity, inputs }: { needsIdentity: boolean; inputs?: Set<string> | undefined },
): Promise<MadePlan> {
  const { client, output, signal } = context;
  const options = projectOptions(flags, context);
  const selection = new ObjectSelection(flags);
  // Without a target, nothing is built: only what is wrong with the manifest is said before.
  const connected = await attempt(signal, () => client.connection());
  if (isUsageError(connected)) {
    await readProject(options);
    unwrap(connected);
  }
  const config = await output.wait('Building …', () => readConfig(scope, options, signal, selection));
  for (const path of config.inputs) inputs?.add(path);
  const { manifest, prune } = config.project;
  const identified = await attempt(signal, () => identifyTarget(manifest, context));
  // A plan that is only shown says for each object why the service cannot be read.
  if (needsIdentity || prune || isUsageError(identified)) unwrap(identified);
  const target = identified.ok ? identified.value : undefined;
  const lock = target && (await openLock(manifest, target, flags, context));
  const undeclared = listUndeclared(config, lock);
  selection.assertMatches([...config.names, ...undeclared], 'The manifest declares');
  const candidates = prune ? undeclared : [];
  const remote = await output.wait('Reading the service …', () =>
    readRemote(client, config.declared, candidates, signal),
  );
  const plan = assemblePlan(config.declared, remote);
  const forgotten = [...plan.forgotten, ...listForgotten(config, lock)];
  return { config, lock, undeclared, plan: { ...plan, tenant: target?.tenant, forgotten } };
}

const isForgotten = ({ name }: LockedObject, { project }: Config): boolean =>
  project.manifest?.content.forget?.includes(name) ?? false;

function listUndeclared(config: Config, lock: LockFile | undefined): LockedObject[] {
  const { managed, selection } = config;
  const names = new Set(
    config.names.flatMap(({ kind, name, previousName }) => [`${kind} ${name}`, `${kind} ${previousName}`]),
  );
  return (lock?.objects ?? []).filter(
    (object) =>
      object.created &&
      managed.includes(object.kind) &&
      selection.includes(object) &&
      !names.has(`${object.kind} ${object.name}`) &&
      !isForgotten(object, config),
  );
}

const listForgotten = (config: Config, lock: LockFile | undefined): string[] =>
  (lock?.objects ?? [])
    .filter((object) => config.selection.includes(object) && isForgotten(object, config))
    .map(({ id }) => id);
