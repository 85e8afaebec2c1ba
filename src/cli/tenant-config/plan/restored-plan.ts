import { CliError } from '../../lib/errors.js';
import type { Manifest } from '../../manifest/manifest.js';
import { hasReference } from '../../manifest/references.js';
import { type ConfigurationSources, resolveConfiguration } from '../../reactors/project/configuration.js';
import { declareApplications, declareTenant, declareWebhooks, draftReactor } from '../declaration/declare.js';
import type { Declared } from '../declaration/declared.js';
import { draftObject } from '../declaration/draft.js';
import type { LockedObject } from '../lock/lock-content.js';
import type { LockFile } from '../lock/lock-file.js';
import { listFields } from '../resources/adapters.js';
import type { ProxyContent } from '../resources/content.js';
import type { FailedObject, Plan, PlannedObject } from './plan.js';
import { fingerprintStored, type PlanFile, type PlannedRow } from './plan-file.js';
import { digestSecrets, isDifferentDigest } from './secret-digest.js';

/** Declares a planned proxy: the planned transforms, with configuration values from their sources. */
async function declareProxy(
  { name, action, file, kind }: PlannedRow,
  content: Omit<ProxyContent, 'name' | 'configuration'>,
  manifest: Manifest | undefined,
  sources: ConfigurationSources,
): Promise<Declared> {
  const entry = manifest?.proxies.find((one) => one.name === name);
  const configuration =
    action === 'unchanged' || !entry ? undefined : await resolveConfiguration(entry, sources);
  const draft = draftObject('proxy', { name, ...content, configuration });
  const inManifest = entry !== undefined;
  const outcome = { ok: true as const, value: draft, durationMs: 0 };
  return { kind, name, previousName: entry?.previousName, file, inManifest, outcome };
}

/** Declares a planned reactor: the planned code, with configuration values from their sources. */
async function declareReactor(
  { name, action, file = name, minified = false, ...row }: PlannedRow,
  code: string,
  application: string | null,
  manifest: Manifest | undefined,
  sources: ConfigurationSources,
): Promise<Declared> {
  const entry = manifest?.reactors.find((one) => one.name === name);
  // Values are not needed to see that nothing has changed.
  const configuration =
    action === 'unchanged'
      ? undefined
      : await resolveConfiguration(entry ?? { name, code: file, external: [] }, sources);
  const references = Object.entries(entry?.configuration ?? {}).filter(([, value]) => hasReference(value));
  const draft = draftReactor({ name, code, configuration, application, minified });
  return {
    kind: row.kind,
    name,
    previousName: entry?.previousName,
    file: row.content && file,
    inManifest: entry !== undefined,
    smoke: entry?.smoke,
    references: Object.fromEntries(references),
    outcome: { ok: true, value: draft, durationMs: 0 },
  };
}

/**
 * Declares the objects of a plan as they were planned, except for configuration values, which are not in the plan.
 * @throws {CliError} if the configuration of one cannot be read
 */
export async function declarePlanned(
  { objects }: PlanFile,
  manifest: Manifest | undefined,
  sources: ConfigurationSources,
): Promise<Declared[]> {
  const declared = objects.map(async (row): Promise<Declared[]> => {
    const { name, content } = row;
    if (row.action === 'delete' || !content) return [];
    if ('code' in content)
      return [await declareReactor(row, content.code, content.application, manifest, sources)];
    if ('destination_url' in content) return [await declareProxy(row, content, manifest, sources)];
    if ('settings' in content) {
      const planned = row.changes.find(({ field }) => field === 'name')?.after;
      return [declareTenant({ ...content, name: typeof planned === 'string' ? planned : undefined })];
    }
    const { applications = [], webhooks = [] } = manifest?.content ?? {};
    const previousName = (rows: readonly { name: string; previous_name?: string | undefined }[]) =>
      rows.find((one) => one.name === name)?.previous_name;
    if ('events' in content)
      return declareWebhooks([{ ...content, name, previous_name: previousName(webhooks) }]);
    return declareApplications([{ ...content, name, previous_name: previousName(applications) }]);
  });
  return (await Promise.all(declared)).flat();
}

/** Lists the objects that a plan deletes, to read them. */
export function listPlannedDeletions({ objects }: PlanFile): LockedObject[] {
  return objects.flatMap(({ action, kind, name, id }) =>
    action === 'delete' && id !== undefined ? [{ kind, name, id, created: true }] : [],
  );
}

const listChanges = ({ changes }: Pick<PlannedRow, 'changes'>): string =>
  changes.map(({ field, change }) => `${field} ${change}`).join();

/** Returns why a row no longer describes the service or the configuration; undefined if it still does. */
function conflictReason(
  row: PlannedRow,
  planned: PlannedObject | FailedObject | undefined,
  { ids }: Plan,
  digestKey: string,
): string | undefined {
  if (!planned) return undefined;
  if (planned.action === 'fail') throw planned.error;
  const { before, desired } = planned;
  const current = before ? fingerprintStored(before, ids) : null;
  // An earlier attempt to apply the plan may have done this already.
  if (current !== row.remote)
    return planned.action === 'unchanged' && row.action !== 'unchanged'
      ? undefined
      : 'was changed on the service after the plan was created';
  if (row.action === 'unchanged') return undefined;
  const digest = digestSecrets(listFields(planned.kind, desired), digestKey);
  if (listChanges(planned) !== listChanges(row) || isDifferentDigest(digest, row.secrets))
    return 'has a different configuration than planned';
  return planned.hash === row.hash ? undefined : 'differs from its hash in the plan';
}

function deletionConflict(row: PlannedRow, { deletions, forgotten, ids }: Plan): string | undefined {
  if (row.id === undefined || forgotten.includes(row.id)) return undefined;
  const found = deletions.find(({ before }) => before.id === row.id);
  return found && fingerprintStored(found.before, ids) === row.remote
    ? undefined
    : 'was changed on the service after the plan was created';
}

/** @throws {CliError} if a plan deletes anything but what an apply of the manifest is recorded to have created */
export function assertDeletionsRecorded({ deletions }: Plan, lock: LockFile | undefined): void {
  const errors = deletions.flatMap(({ kind, name, before }) => {
    const record = lock?.find(before.id);
    return record?.created && record.kind === kind
      ? []
      : [[`${kind} ${name}`, ['is not recorded as created from this manifest']]];
  });
  if (errors.length > 0)
    throw new CliError('usage', 'The plan deletes what the lock file does not record; nothing was changed.', {
      errors: Object.fromEntries(errors),
      hint: 'Use the lock file that the plan was made with, or make a new plan: tokenctl plan --prune',
    });
}

/**
 * Checks that a plan that was assembled again is the one in a file. What is already done does not matter: a plan can be
 * applied again after an interruption.
 * @throws {CliError} if it is not; the error lists each affected object and the reason
 */
export function assertPlanCurrent(file: PlanFile, plan: Plan, digestKey: string): void {
  const planned = new Map(plan.objects.map((object) => [`${object.kind} ${object.name}`, object]));
  const errors = file.objects.flatMap((row) => {
    const key = `${row.kind} ${row.name}`;
    const reason =
      row.action === 'delete'
        ? deletionConflict(row, plan)
        : conflictReason(row, planned.get(key), plan, digestKey);
    return reason ? [[key, [reason]]] : [];
  });
  if (errors.length > 0)
    throw new CliError('failed', 'The plan is out of date; nothing was changed.', {
      errors: Object.fromEntries(errors),
      hint: 'Create a new plan: tokenctl plan. Pass the same --environment, --config and --env-file to plan and apply.',
    });
}
