import { awaitingClient, cleanUpClient } from '../../../client/clean-up.js';
import { type Attempt, unwrap } from '../../lib/attempt.js';
import { CliError, failureLines } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';
import type { SmokeCase } from '../../manifest/schema.js';
import type { DeployedPositions } from '../../reactors/build/deployed-positions.js';
import type { LockFile } from '../lock/lock-file.js';
import type { PlannedObject } from '../plan/plan.js';
import { listObjects, readObject } from '../plan/remote.js';
import { ADAPTERS } from '../resources/adapters.js';
import type { Kind, Stored } from '../resources/content.js';
import { recordMissingVersion, recordReplaced, recordVersion } from './record-version.js';
import type { RemoteStateTracker } from './remote-state.js';
import { runSmokeTests } from './smoke-test.js';
import { assertOnlyOne, assertStored, assertUnchanged, type VerifyOptions } from './verify.js';

export interface ApplyOptions extends VerifyOptions {
  /** Where objects of the manifest are recorded. */
  lock: LockFile | undefined;
  /** A smoke test of the command line, which also runs if nothing has changed. */
  smoke?: SmokeCase | undefined;
  /** Finds the sources of what the errors of smoke tests name. */
  positions?: DeployedPositions | undefined;
  /** Objects to write at a time. */
  concurrency: number;
  /** The commit that versions are recorded with. */
  commit: string | undefined;
  /** Runs after each object. */
  onApplied?: (() => void) | undefined;
}

/** What the service had of many objects before the first of them was written. They are read back together after the last. */
export type ReadTogether = Attempt<ReadonlyMap<string, Stored<Kind>>>;

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
    lock?.remove([id]);
    return;
  }
  const content = adapter.normalize(before.content, ids);
  await tracker.change('restored', () => adapter.update(cleanUp, id, content, ids));
  assertStored(kind, await readObject(cleanUp, kind, id), content, { ids });
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
      throw new CliError(
        'failed',
        `${detail} ${step} also failed: ${failureLines(toFailure(cause)).join('; ')}`,
        failure,
      );
    });
    throw error;
  }
}

/**
 * Creates an object. If the response was lost, the object is looked up before the request is repeated: a service that ignores
 * idempotency keys would create a second one.
 */
async function createOnce<K extends Kind>(
  { kind, name, desired }: PlannedObject<K>,
  { client, ids }: ApplyOptions,
): Promise<Stored<K>> {
  let created: Stored<K> | undefined;
  const lookUp = async () => {
    const listed = await listObjects(client, kind, name);
    [created] = listed.filter(({ content }) => content.name === name);
    if (created) throw new Error(`The ${kind} was created.`);
  };
  try {
    return await ADAPTERS[kind].create(awaitingClient(client, lookUp), desired, ids);
  } catch (error) {
    if (created) return created;
    throw error;
  }
}

/** Creates an object that is recorded as an intent, and records it. */
async function createObject<K extends Kind>(
  planned: PlannedObject<K>,
  tracker: RemoteStateTracker,
  options: ApplyOptions,
): Promise<string> {
  const { kind, name, inManifest } = planned;
  const { lock, signal } = options;
  if (inManifest) await lock?.saveIntents();
  signal.throwIfAborted();
  const { id } = await tracker.change('written', () => createOnce(planned, options));
  if (inManifest) lock?.add({ kind, name, id, created: true });
  return id;
}

async function updateObject<K extends Kind>(
  planned: PlannedObject<K>,
  before: Stored<K>,
  tracker: RemoteStateTracker,
  options: ApplyOptions,
  together: ReadTogether | undefined,
): Promise<string> {
  const { kind, name, desired, inManifest } = planned;
  const { client, ids, lock } = options;
  const { id } = before;
  const current = together ? unwrap(together).get(id) : await readObject<Kind>(client, kind, id);
  assertUnchanged<Kind>(before, current, options);
  if (inManifest && kind !== 'tenant') lock?.add({ kind, name, id, created: false });
  // What the update overwrites is nowhere else.
  if (inManifest && lock && (await recordReplaced(before, lock, ids))) await lock.save();
  await tracker.change('written', () => ADAPTERS[kind].update(awaitingClient(client), id, desired, ids));
  return id;
}

/**
 * Checks that the service has what was written, and only one object of its name if it is new.
 * @param listed all objects of the kind; undefined to ask the service for this one
 * @throws {CliError} if it has not
 */
export async function readBack<K extends Kind>(
  { kind, before, desired }: PlannedObject<K>,
  id: string,
  tracker: RemoteStateTracker,
  options: ApplyOptions,
  listed?: readonly Stored<K>[],
): Promise<void> {
  const { client, lock } = options;
  const stored = listed ? listed.find((one) => one.id === id) : await readObject(client, kind, id);
  assertStored(kind, stored, desired, options);
  if (before || listed?.filter(({ content }) => content.name === desired.name).length === 1) return;
  try {
    await assertOnlyOne(stored, tracker, options);
  } catch (error) {
    if (tracker.state === 'removed') lock?.remove([id]);
    throw error;
  }
}

/**
 * Creates or updates an object, reads it back and runs the smoke tests. An unchanged object is only tested, by the smoke
 * test of the command line. Returns the ID.
 * @param together given if the caller reads the object back, with others
 * @throws {CliError | ServiceError} if any of that fails; `tracker` then has the state of the service
 */
export async function applyObject<K extends Kind>(
  planned: PlannedObject<K>,
  tracker: RemoteStateTracker,
  options: ApplyOptions,
  together?: ReadTogether,
): Promise<string> {
  const { before, kind, name } = planned;
  const { smoke, ids } = options;
  if (before && planned.action === 'unchanged') {
    if (smoke) await runSmokeTests(before.id, [smoke], options);
    await recordMissingVersion(planned, before.id, options);
    return before.id;
  }
  const id = before
    ? await updateObject(planned, before, tracker, options, together)
    : await createObject(planned, tracker, options);
  if (!together) await readBack(planned, id, tracker, options);
  if (kind === 'application') ids.add(name, id);
  await testWritten(planned, id, tracker, options);
  await recordVersion(planned, id, options);
  return id;
}
