import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUpClient } from '../../../client/clean-up.js';
import type { Client } from '../../../client/client.js';
import { CliError } from '../../lib/errors.js';
import { toFailure } from '../../lib/failure.js';
import type { SmokeCase } from '../../manifest/schema.js';
import type { DeployedPositions } from '../../reactors/build/deployed-positions.js';
import type { LockFile } from '../lock/lock-file.js';
import type { PlannedObject } from '../plan/plan.js';
import { fingerprintStored } from '../plan/plan-file.js';
import { listObjects, readObject } from '../plan/remote.js';
import { ADAPTERS } from '../resources/adapters.js';
import type { ApplicationIds } from '../resources/application-ids.js';
import type { Contents, Kind, Stored } from '../resources/content.js';
import { compareFields } from '../resources/field.js';
import { recordVersion } from './record-version.js';
import type { RemoteStateTracker } from './remote-state.js';
import { runSmokeTests } from './smoke-test.js';

export interface ApplyOptions {
  client: Client;
  /** Where objects of the manifest are recorded. */
  lock: LockFile | undefined;
  ids: ApplicationIds;
  /** A smoke test of the command line, which also runs if nothing has changed. */
  smoke?: SmokeCase | undefined;
  /** Finds the sources of what the errors of smoke tests name. */
  positions?: DeployedPositions | undefined;
  /** Objects to write at a time. */
  concurrency: number;
  /** The commit that versions are recorded with. */
  commit: string | undefined;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

const CHANGED_HINT = 'Someone else may be applying changes at the same time. Apply again.';

/** @throws {CliError} if the service has something else than what was sent */
async function verifyStored<K extends Kind>(
  kind: K,
  id: string,
  sent: Contents[K],
  { client, ids }: Pick<ApplyOptions, 'client' | 'ids'>,
): Promise<void> {
  const adapter = ADAPTERS[kind];
  const stored = await readObject(client, kind, id);
  if (!stored)
    throw new CliError('failed', `The ${kind} was deleted while it was applied.`, { hint: CHANGED_HINT });
  const changes = compareFields(adapter.fields(sent), adapter.fields(adapter.normalize(stored.content, ids)));
  if (changes.length > 0)
    throw new CliError(
      'failed',
      `The stored ${kind} differs from what was sent: ${changes.map(({ field }) => field).join(', ')}.`,
      { hint: CHANGED_HINT },
    );
}

/** @throws {CliError} if the object is not what it was when the plan was made */
async function assertUnchanged<K extends Kind>(
  before: Stored<K>,
  { client, ids }: ApplyOptions,
): Promise<void> {
  const { kind, id } = before;
  const current = await readObject(client, kind, id);
  if (current && fingerprintStored(current, ids) === fingerprintStored(before, ids)) return;
  throw new CliError('failed', `The ${kind} was changed on the service while the plan was applied.`, {
    hint: CHANGED_HINT,
  });
}

/** Waits for another apply to remove its duplicate, in milliseconds. */
const DUPLICATE_WAITS = [200, 400, 800, 1600];

/** Of two applies that create an object of the same name at the same time, the one that was later removes its own. */
async function assertOnlyOne<K extends Kind>(
  created: Stored<K>,
  tracker: RemoteStateTracker,
  { client, signal }: ApplyOptions,
): Promise<void> {
  const { kind, id, content } = created;
  for (const wait of [...DUPLICATE_WAITS, undefined]) {
    const found = await listObjects<Kind>(client, kind, content.name);
    if (found.length <= 1) return;
    const age = (one: Stored<Kind>) => `${one.createdAt} ${one.id}`;
    const [oldest] = found.sort((one, other) => (age(one) < age(other) ? -1 : 1));
    if (oldest?.id !== id) {
      await tracker.change('removed', () => ADAPTERS[kind].remove(client, id));
      throw new CliError(
        'failed',
        `Another ${kind} named ${JSON.stringify(content.name)} was created at the same time: ${oldest?.id}. The one of this apply was removed.`,
        { hint: CHANGED_HINT },
      );
    }
    if (wait === undefined)
      throw new CliError(
        'failed',
        `${found.length} ${kind}s are named ${JSON.stringify(content.name)}: ${found.map((one) => one.id).join(', ')}.`,
        { hint: `Rename or delete all but one: tokenctl ${kind} delete <id>` },
      );
    await sleep(wait, undefined, { signal });
  }
}

/** Restores the previous version, or removes a new object, so that code that failed its test does not stay. */
async function rollBack<K extends Kind>(
  { kind, before }: PlannedObject<K>,
  id: string,
  tracker: RemoteStateTracker,
  { client, signal, ids, lock }: ApplyOptions,
): Promise<void> {
  const cleanUp = cleanUpClient(client, signal.aborted);
  const adapter = ADAPTERS[kind];
  if (!before) {
    await tracker.change('removed', () => adapter.remove(cleanUp, id));
    await lock?.remove([id]);
    return;
  }
  const content = adapter.normalize(before.content, ids);
  await tracker.change('restored', () => adapter.update(cleanUp, id, content, ids));
  await verifyStored(kind, id, content, { client: cleanUp, ids });
}

async function testWritten<K extends Kind>(
  planned: PlannedObject<K>,
  id: string,
  tracker: RemoteStateTracker,
  options: ApplyOptions,
): Promise<void> {
  const cases = [...planned.smoke, ...(options.smoke ? [options.smoke] : [])];
  try {
    await runSmokeTests(id, cases, options);
  } catch (error) {
    await rollBack(planned, id, tracker, options).catch((cause) => {
      const { detail, ...failure } = toFailure(error);
      const step = planned.before ? 'Restoring the previous code' : 'Removing the new reactor';
      throw new CliError('failed', `${detail} ${step} also failed: ${toFailure(cause).detail}`, failure);
    });
    throw error;
  }
}

/** Creates an object and records it at once, so that it can be pruned whatever happens next. */
async function createObject<K extends Kind>(
  { kind, name, desired, inManifest }: PlannedObject<K>,
  tracker: RemoteStateTracker,
  options: ApplyOptions,
): Promise<string> {
  const { client, ids, lock } = options;
  const created = await tracker.change('written', () => ADAPTERS[kind].create(client, desired, ids));
  const { id } = created;
  if (inManifest) await lock?.add({ kind, name, id, created: true });
  await verifyStored(kind, id, desired, options);
  try {
    await assertOnlyOne(created, tracker, options);
  } catch (error) {
    if (tracker.state === 'removed') await lock?.remove([id]);
    throw error;
  }
  return id;
}

async function updateObject<K extends Kind>(
  { kind, name, desired, inManifest }: PlannedObject<K>,
  before: Stored<K>,
  tracker: RemoteStateTracker,
  options: ApplyOptions,
): Promise<string> {
  const { client, ids, lock } = options;
  const { id } = before;
  await assertUnchanged(before, options);
  await tracker.change('written', () => ADAPTERS[kind].update(client, id, desired, ids));
  if (inManifest && kind !== 'tenant') await lock?.add({ kind, name, id, created: false });
  await verifyStored(kind, id, desired, options);
  return id;
}

/**
 * Creates or updates an object, reads it back and runs the smoke tests. An unchanged object is only tested, by the smoke
 * test of the command line. Returns the ID.
 * @throws {CliError | ServiceError} if any of that fails; `tracker` then has the state of the service
 */
export async function applyObject<K extends Kind>(
  planned: PlannedObject<K>,
  tracker: RemoteStateTracker,
  options: ApplyOptions,
): Promise<string> {
  const { before, kind, name } = planned;
  const { smoke, ids } = options;
  if (before && planned.action === 'unchanged') {
    if (smoke) await runSmokeTests(before.id, [smoke], options);
    return before.id;
  }
  const id = before
    ? await updateObject(planned, before, tracker, options)
    : await createObject(planned, tracker, options);
  if (kind === 'application') ids.add(name, id);
  await testWritten(planned, id, tracker, options);
  await recordVersion(planned, id, options);
  return id;
}
