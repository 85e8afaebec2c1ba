import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../../client/client.js';
import { CliError } from '../../lib/errors.js';
import { fingerprintStored } from '../plan/plan-file.js';
import { listObjects } from '../plan/remote.js';
import { ADAPTERS } from '../resources/adapters.js';
import type { ApplicationIds } from '../resources/application-ids.js';
import { type Contents, formatCount, type Kind, type Stored } from '../resources/content.js';
import { compareFields } from '../resources/field.js';
import type { RemoteStateTracker } from './remote-state.js';

/** What is needed to compare objects with the service. */
export interface VerifyOptions {
  client: Client;
  ids: ApplicationIds;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

const CHANGED_HINT = 'Someone else may be applying changes at the same time. Apply again.';

/** @throws {CliError} if what the service has is not what was sent */
export function assertStored<K extends Kind>(
  kind: K,
  stored: Stored<K> | undefined,
  sent: Contents[K],
  { ids }: Pick<VerifyOptions, 'ids'>,
): asserts stored is Stored<K> {
  const adapter = ADAPTERS[kind];
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

/** @throws {CliError} if what the service has is not what it was when the plan was made */
export function assertUnchanged<K extends Kind>(
  before: Stored<K>,
  current: Stored<K> | undefined,
  { ids }: Pick<VerifyOptions, 'ids'>,
): void {
  const { kind } = before;
  if (current && fingerprintStored(current, ids) === fingerprintStored(before, ids)) return;
  throw new CliError('failed', `The ${kind} was changed on the service while the plan was applied.`, {
    hint: CHANGED_HINT,
  });
}

/** Waits for another apply to remove its duplicate, in milliseconds. */
const DUPLICATE_WAITS = [200, 400, 800, 1600];

/** Of two applies that create an object of the same name at the same time, the one that was later removes its own. */
export async function assertOnlyOne<K extends Kind>(
  created: Stored<K>,
  tracker: RemoteStateTracker,
  { client, signal }: VerifyOptions,
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
        `${formatCount(found.length, kind)} are named ${JSON.stringify(content.name)}: ${found.map((one) => one.id).join(', ')}.`,
        { hint: `Rename or delete all but one: tokenctl ${kind} delete <id>` },
      );
    await sleep(wait, undefined, { signal });
  }
}
