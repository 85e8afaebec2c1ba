import { awaitingClient, cleanUpClient } from '../../../client/clean-up.js';
import type { Client } from '../../../client/client.js';
import { CliError, failureLines } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';
import type { SmokeCase } from '../../manifest/schema.js';
import type { DeployedPositions } from '../../reactors/build/deployed-positions.js';
import type { PlannedObject } from '../plan/plan.js';
import { listObjects } from '../plan/remote.js';
import { ADAPTERS } from '../resources/adapters.js';
import type { ApplicationIds } from '../resources/application-ids.js';
import type { Kind, Stored } from '../resources/content.js';
import { runSmokeTests } from './smoke-test.js';

export interface WriteOptions {
  client: Client;
  ids: ApplicationIds;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** A smoke test of the command line, which also runs if nothing has changed. */
  smoke?: SmokeCase | undefined;
  /** Finds the sources of what the errors of smoke tests name. */
  positions?: DeployedPositions | undefined;
}

/**
 * Creates an object. If the response was lost, the object is looked up before the request is repeated: a service that ignores
 * idempotency keys would create a second one.
 */
async function createOnce<K extends Kind>(
  { kind, name, desired }: PlannedObject<K>,
  { client, ids }: WriteOptions,
): Promise<Stored<K>> {
  let created: Stored<K> | undefined;
  const lookUp = async () => {
    [created] = await listObjects(client, kind, name);
    if (created) throw new Error(`The ${kind} was created.`);
  };
  try {
    return await ADAPTERS[kind].create(awaitingClient(client, lookUp), desired, ids);
  } catch (error) {
    if (created) return created;
    throw error;
  }
}

/** Creates or updates an object. Returns its ID. */
export async function writeObject<K extends Kind>(
  planned: PlannedObject<K>,
  options: WriteOptions,
): Promise<string> {
  const { kind, name, before, desired } = planned;
  const { client, ids } = options;
  if (before) await ADAPTERS[kind].update(awaitingClient(client), before.id, desired, ids);
  const { id } = before ?? (await createOnce(planned, options));
  if (kind === 'application') ids.add(name, id);
  return id;
}

/** Restores the previous version, or removes a new object, so that code that failed its test does not stay. */
async function rollBack<K extends Kind>(
  { kind, before }: PlannedObject<K>,
  id: string,
  { client, signal, ids }: WriteOptions,
): Promise<void> {
  const cleanUp = cleanUpClient(client, signal.aborted);
  const adapter = ADAPTERS[kind];
  if (before) await adapter.update(cleanUp, id, adapter.normalize(before.content, ids), ids);
  else await adapter.remove(cleanUp, id);
}

/**
 * Runs the smoke tests of an object that was written, and undoes the write if one fails. Of an unchanged object, only that of the
 * command line runs.
 * @throws {CliError | ServiceError} for the first that fails
 */
export async function testObject(planned: PlannedObject, id: string, options: WriteOptions): Promise<void> {
  const isWritten = planned.action !== 'unchanged';
  const cases = [...(isWritten ? planned.smoke : []), ...(options.smoke ? [options.smoke] : [])];
  try {
    await runSmokeTests(id, cases, options);
  } catch (error) {
    if (!isWritten) throw error;
    await rollBack(planned, id, options).catch((cause) => {
      const { detail, ...failure } = toFailure(error);
      const step = planned.before ? 'Restoring the previous code' : 'Removing the new reactor';
      const reason = failureLines(toFailure(cause)).join('; ');
      throw new CliError('failed', `${detail} ${step} also failed: ${reason}`, failure);
    });
    throw error;
  }
}
