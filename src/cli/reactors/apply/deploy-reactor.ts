import { cleanUpClient } from '../../../client/clean-up.js';
import type { Client } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import type { Reactor } from '../../../contract/schemas/index.js';
import { CliError } from '../../lib/errors.js';
import { toFailure } from '../../lib/failure.js';
import type { PreparedReactor } from '../build/prepare.js';
import { type Change, changesBetween, contentHash, contentOf, type ReactorContent } from '../plan/compare.js';
import { unifiedDiff } from '../plan/diff.js';
import { findReactor } from '../plan/lookup.js';
import { deleteReactor, desiredContent, writeReactor } from './remote.js';
import { runSmokeTest, type SmokeTest } from './smoke.js';

/** What the service holds of a reactor after an attempt to deploy it. */
export type RemoteState = 'untouched' | 'written' | 'restored' | 'removed' | 'unknown';

/** What came of deploying one reactor. */
export interface Deployed {
  status: 'created' | 'updated' | 'unchanged';
  id?: string | undefined;
  changes: Change[];
  diff: string;
  /** Of the content that the service holds, or with `dryRun` would hold. */
  hash: string;
  /** Read back and found to be what was sent. */
  verified: boolean;
}

export interface DeployOptions {
  client: Client;
  dryRun: boolean;
  smoke?: SmokeTest | undefined;
  /** Of the content that a plan found on the service; null: nothing. Without a plan whatever is there may be replaced. */
  plannedOver?: string | null | undefined;
  /** Told of every reactor that is created. */
  onCreated: (reactor: Reactor) => Promise<void>;
  /** Told what the service holds now, so that a failure can say so. */
  onRemote: (state: RemoteState) => void;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** Whether the service has carried nothing out. After a 408 or 409, a 5xx or no answer at all it may have. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.status < 500 && error.status !== 408 && error.status !== 409;
}

/** Changes something on the service; until it has answered nobody knows what it holds. */
export async function changeRemote<Result>(
  [before, after]: readonly [RemoteState, RemoteState],
  onRemote: (state: RemoteState) => void,
  change: () => Promise<Result>,
): Promise<Result> {
  onRemote('unknown');
  try {
    const result = await change();
    onRemote(after);
    return result;
  } catch (error) {
    if (isRefusal(error)) onRemote(before);
    throw error;
  }
}

/** @throws {CliError} when the service holds something else than what was sent. */
async function verify(client: Client, id: string, desired: ReactorContent): Promise<void> {
  const stored = contentOf(await client.call('reactors.get', { path: { id } }));
  const wrong = changesBetween(desired, stored).map(({ field }) => field);
  if (stored.name !== desired.name) wrong.push('name');
  if (wrong.length > 0)
    throw new CliError('failed', `Read back, the reactor is not what was sent: ${wrong.join(', ')}.`, {
      hint: 'Someone else may have changed it at the same time; deploy again.',
    });
}

/** Puts back what was there before, so that no untested code stays: the former reactor, or none. */
async function restore(
  id: string,
  before: Reactor | undefined,
  { signal, onRemote, ...options }: DeployOptions,
): Promise<void> {
  const client = cleanUpClient(options.client, signal.aborted);
  if (!before) return changeRemote(['written', 'removed'], onRemote, () => deleteReactor(client, id));
  const content = contentOf(before);
  await changeRemote(['written', 'restored'], onRemote, () => writeReactor(client, content, id));
  await verify(client, id, content);
}

async function testWritten(id: string, before: Reactor | undefined, options: DeployOptions): Promise<void> {
  if (!options.smoke) return;
  try {
    await runSmokeTest(options.client, id, options.smoke);
  } catch (error) {
    await restore(id, before, options).catch((cause) => {
      const { detail, ...failure } = toFailure(error);
      const undone = `${before ? 'Putting the previous code back' : 'Removing it again'} failed too`;
      throw new CliError('failed', `${detail} ${undone}: ${toFailure(cause).detail}`, failure);
    });
    throw error;
  }
}

async function write(
  before: Reactor | undefined,
  desired: ReactorContent,
  options: DeployOptions,
): Promise<string> {
  const { client, onCreated, onRemote } = options;
  const written = await changeRemote(['untouched', 'written'], onRemote, () =>
    writeReactor(client, desired, before?.id),
  );
  if (!before) await onCreated(written);
  const { id } = written;
  await verify(client, id, desired);
  // Another deployment may have created one of the name at the same time; names are not unique on the service.
  if (!before) await findReactor(client, desired.name);
  await testWritten(id, before, options);
  return id;
}

/** A plan was looked at as a whole, and what comes late in it may have changed while the rest was carried out. */
function refuseMoved(content: ReactorContent | undefined, { plannedOver }: DeployOptions): void {
  if (plannedOver === undefined || plannedOver === (content ? contentHash(content) : null)) return;
  throw new CliError('failed', 'The reactor was changed on the service while the plan was carried out.', {
    hint: 'Plan again: tokenctl reactor plan.',
  });
}

/**
 * Makes the service hold a reactor as the project has it: found by name, created or replaced when it differs, read back.
 * Doing it again changes nothing.
 */
export async function deployReactor(prepared: PreparedReactor, options: DeployOptions): Promise<Deployed> {
  const { client, dryRun, smoke } = options;
  options.onRemote('untouched');
  const before = await findReactor(client, prepared.name);
  const desired = await desiredContent(client, prepared, before);
  const content = before && contentOf(before);
  const changes = changesBetween(content, desired);
  const common = { id: before?.id, changes, diff: unifiedDiff(content, desired), hash: contentHash(desired) };
  if (before && changes.length === 0) {
    if (smoke && !dryRun) await runSmokeTest(client, before.id, smoke);
    return { ...common, status: 'unchanged', verified: true };
  }
  refuseMoved(content, options);
  const status = before ? 'updated' : 'created';
  if (dryRun) return { ...common, status, verified: false };
  return { ...common, id: await write(before, desired, options), status, verified: true };
}
