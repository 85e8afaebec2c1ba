import { isUuid } from '../../../contract/uuid.js';
import { CliError } from '../../lib/errors.js';
import type { Manifest } from '../../manifest/manifest.js';
import { type ConfigurationSources, resolveConfiguration } from '../../reactors/project/configuration.js';
import { type Declared, pickReferences, succeeded } from '../declaration/declare.js';
import type { LockedObject } from '../lock/lock-content.js';
import type { LockFile } from '../lock/lock-file.js';
import type { DeclaredContent } from '../resources/content.js';
import { listFields } from '../resources/field.js';
import type { FailedObject, Plan, PlannedObject } from './plan.js';
import {
  digestSecrets,
  fingerprintStored,
  isDifferentDigest,
  type PlanFile,
  type PlannedRow,
} from './plan-file.js';

/** A plan that has read no applications has the ID of the one that an object keeps. It is left to the service, as in the manifest. */
const withoutKeptId = ({ content, changes }: PlannedRow): DeclaredContent | undefined =>
  content?.application && isUuid(content.application) && !changes.some(({ field }) => field === 'application')
    ? { ...content, application: undefined }
    : content;

/** Declares an object as it was planned, with configuration values from their sources. */
async function declareRow(
  row: PlannedRow,
  manifest: Manifest | undefined,
  sources: ConfigurationSources,
): Promise<Declared> {
  const { kind, name, previous_name, action, file, minified } = row;
  const isCode = kind === 'reactor' || kind === 'proxy';
  const entries = kind === 'reactor' ? manifest?.reactors : manifest?.proxies;
  const entry = isCode ? entries?.find((one) => one.name === name) : undefined;
  // Values are not needed to see that nothing has changed.
  const configuration =
    isCode && action !== 'unchanged'
      ? await resolveConfiguration(entry ?? { name, ...(file !== undefined && { code: file }) }, sources)
      : undefined;
  return {
    kind,
    name,
    previousName: previous_name,
    file,
    inManifest: !isCode || entry !== undefined,
    smoke: entry && 'smoke' in entry ? entry.smoke : undefined,
    references: pickReferences(entry?.configuration),
    outcome: succeeded({ content: { ...withoutKeptId(row), configuration }, minified }),
  };
}

/** Declares the objects of a plan as they were planned, with configuration values from their sources. */
export function declarePlanned(
  { objects }: PlanFile,
  manifest: Manifest | undefined,
  sources: ConfigurationSources,
): Promise<Declared[]> {
  const planned = objects.filter(({ action }) => action !== 'delete');
  return Promise.all(planned.map((row) => declareRow(row, manifest, sources)));
}

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
  digestKey: string,
): string | undefined {
  if (!planned) return undefined;
  if (planned.action === 'fail') throw planned.error;
  const { before, desired } = planned;
  const current = before ? fingerprintStored(before) : null;
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

function deletionConflict(row: PlannedRow, { deletions, forgotten }: Plan): string | undefined {
  if (row.id === undefined || forgotten.includes(row.id)) return undefined;
  const found = deletions.find(({ before }) => before.id === row.id);
  return found && fingerprintStored(found.before) === row.remote
    ? undefined
    : 'was changed on the service after the plan was created';
}

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

/** Checks that a plan is the one in a file. What is already done does not matter: it can be applied again after an interruption. */
export function assertPlanCurrent(file: PlanFile, plan: Plan, digestKey: string): void {
  const planned = new Map(plan.objects.map((object) => [`${object.kind} ${object.name}`, object]));
  const errors = file.objects.flatMap((row) => {
    const key = `${row.kind} ${row.name}`;
    const reason =
      row.action === 'delete'
        ? deletionConflict(row, plan)
        : conflictReason(row, planned.get(key), digestKey);
    return reason ? [[key, [reason]]] : [];
  });
  if (errors.length > 0)
    throw new CliError('failed', 'The plan is out of date; nothing was changed.', {
      errors: Object.fromEntries(errors),
      hint: 'Create a new plan: tokenctl plan. Pass the same --environment, --config and --env-file to plan and apply.',
    });
}
