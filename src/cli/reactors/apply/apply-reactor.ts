import { cleanUpClient } from '../../../client/clean-up.js';
import type { Client } from '../../../client/client.js';
import type { Reactor } from '../../../contract/schemas/index.js';
import { CliError } from '../../lib/errors.js';
import { toFailure } from '../../lib/failure.js';
import { findReactor } from '../../lib/lookup.js';
import { compareContent } from '../plan/changes.js';
import { hashContent, type ReactorContent, toContent } from '../plan/content.js';
import type { PlannedReactor } from '../plan/plan.js';
import type { LockFile } from '../project/lock-file.js';
import type { RemoteStateTracker } from './remote-state.js';
import { deleteReactor, writeReactor } from './requests.js';
import { runSmokeTest, type SmokeTest } from './smoke-test.js';

export interface ApplyOptions {
  client: Client;
  /** Where created reactors of the manifest are recorded. */
  lock: LockFile | undefined;
  smoke?: SmokeTest | undefined;
  /** Reads each reactor again before it is written, and fails if it changed since it was planned. */
  recheck: boolean;
  /** Reactors to write at a time. */
  concurrency: number;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** @throws {CliError} if the service has something else than what was sent. */
async function verifyStored(client: Client, id: string, sent: ReactorContent): Promise<void> {
  const stored = toContent(await client.call('reactors.get', { path: { id } }));
  const different = compareContent(sent, stored).map(({ field }) => field);
  if (stored.name !== sent.name) different.push('name');
  if (different.length > 0)
    throw new CliError('failed', `The stored reactor differs from what was sent: ${different.join(', ')}.`, {
      hint: 'Someone else may have changed it at the same time. Deploy again: tokenctl reactor deploy',
    });
}

/** @throws {CliError} if the reactor is not what it was when the plan was made. */
async function assertUnchanged(client: Client, { name, before }: PlannedReactor): Promise<void> {
  const current = await findReactor(client, name);
  const [hash, planned] = [current, before].map((reactor) => reactor && hashContent(toContent(reactor)));
  if (hash !== planned)
    throw new CliError('failed', 'The reactor was changed on the service while the plan was applied.', {
      hint: 'Create a new plan: tokenctl reactor plan',
    });
}

/** Restores the previous reactor, or removes a new one, so that code that failed its test does not stay. */
async function rollBack(
  id: string,
  before: Reactor | undefined,
  tracker: RemoteStateTracker,
  { client, signal }: ApplyOptions,
): Promise<void> {
  const cleanUp = cleanUpClient(client, signal.aborted);
  if (!before) return tracker.change('removed', () => deleteReactor(cleanUp, id));
  const content = toContent(before);
  await tracker.change('restored', () => writeReactor(cleanUp, content, id));
  await verifyStored(cleanUp, id, content);
}

async function testWritten(
  id: string,
  before: Reactor | undefined,
  tracker: RemoteStateTracker,
  options: ApplyOptions,
): Promise<void> {
  if (!options.smoke) return;
  try {
    await runSmokeTest(options.client, id, options.smoke);
  } catch (error) {
    await rollBack(id, before, tracker, options).catch((cause) => {
      const { detail, ...failure } = toFailure(error);
      const step = before ? 'Restoring the previous code' : 'Removing the new reactor';
      throw new CliError('failed', `${detail} ${step} also failed: ${toFailure(cause).detail}`, failure);
    });
    throw error;
  }
}

/**
 * Creates or replaces a reactor, reads it back and runs the smoke test. An unchanged reactor is only tested.
 * Returns the ID.
 * @throws {CliError | ServiceError} if any of that fails; `tracker` then has the state of the service.
 */
export async function applyReactor(
  planned: PlannedReactor,
  target: string,
  tracker: RemoteStateTracker,
  options: ApplyOptions,
): Promise<string> {
  const { before, desired, name, inManifest } = planned;
  const { client, lock, smoke, recheck } = options;
  if (before && planned.action === 'unchanged') {
    if (smoke) await runSmokeTest(client, before.id, smoke);
    return before.id;
  }
  if (recheck) await assertUnchanged(client, planned);
  const { id } = await tracker.change('written', () => writeReactor(client, desired, before?.id));
  if (!before && inManifest) await lock?.add({ base_url: target, id, name });
  await verifyStored(client, id, desired);
  // Names are not unique on the service: another deployment may have created a reactor of this name at the same time.
  if (!before) await findReactor(client, name);
  await testWritten(id, before, tracker, options);
  return id;
}
