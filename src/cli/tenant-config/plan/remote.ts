import pLimit from 'p-limit';
import type { Client } from '../../../client/client.js';
import { type Attempt, attempt, unwrap } from '../../lib/attempt.js';
import { CliError } from '../../lib/errors.js';
import type { Declared } from '../declaration/declared.js';
import type { LockedObject } from '../lock/lock-content.js';
import { ADAPTERS } from '../resources/adapters.js';
import { formatCount, type Kind, type Stored } from '../resources/content.js';

/** What a lookup found; undefined if the service has no such object. */
export type Lookup<K extends Kind> = Attempt<Stored<K> | undefined>;

/** The part of the service's state that a plan compares with. */
export interface Remote {
  /** Base URL of the service. */
  target: string;
  /** What the service has of the declared objects, by kind and name. */
  found: { readonly [K in Kind]: ReadonlyMap<string, Lookup<K>> };
  /** All applications, if one of them matters. */
  applications: readonly Stored<'application'>[];
  /** Prune candidates that exist and still have the name that they were created with. */
  orphans: Stored<Kind>[];
  /** IDs of prune candidates that no longer exist. */
  gone: string[];
}

interface ReadOptions {
  concurrency: number;
  signal: AbortSignal;
}

/** @throws {CliError} if several objects have the name; the error lists their IDs */
function assertUnique<K extends Kind>(kind: K, name: string, found: readonly Stored<K>[]): void {
  if (found.length <= 1) return;
  throw new CliError(
    'failed',
    `${formatCount(found.length, kind)} are named ${JSON.stringify(name)}: ${found.map(({ id }) => id).join(', ')}.`,
    { hint: `Rename or delete all but one: tokenctl ${kind} delete <id>` },
  );
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Lists the objects of a kind, or those with exactly this name. */
export function listObjects<K extends Kind>(client: Client, kind: K, name?: string): Promise<Stored<K>[]> {
  return collect(ADAPTERS[kind].list(client, name));
}

/** Finds the object with this name; undefined if there is none. @throws {CliError} if several have the name */
async function findObject<K extends Kind>(
  client: Client,
  kind: K,
  name: string,
): Promise<Stored<K> | undefined> {
  const found = await listObjects(client, kind, name);
  assertUnique(kind, name, found);
  return found[0];
}

/** Reads a stored object again; undefined if it was deleted. */
export function readObject<K extends Kind>(
  client: Client,
  kind: K,
  id: string,
): Promise<Stored<K> | undefined> {
  return ADAPTERS[kind].get(client, id);
}

async function lookUp<K extends Kind>(
  names: readonly string[],
  find: (name: string) => Promise<Stored<K> | undefined>,
  { concurrency, signal }: ReadOptions,
): Promise<Map<string, Lookup<K>>> {
  const found = pLimit(concurrency).map(new Set(names), async (name) => {
    const lookup = await attempt(signal, () => find(name));
    return [name, lookup] as const;
  });
  return new Map(await found);
}

/** An object that was renamed since has become someone else's and is neither an orphan nor gone. */
async function readOrphans(
  client: Client,
  candidates: readonly LockedObject[],
): Promise<Pick<Remote, 'orphans' | 'gone'>> {
  const found = await Promise.all(candidates.map(({ kind, id }) => readObject<Kind>(client, kind, id)));
  return {
    orphans: found.flatMap((stored, index) =>
      stored && stored.content.name === candidates[index]?.name ? [stored] : [],
    ),
    gone: candidates.filter((_, index) => found[index] === undefined).map(({ id }) => id),
  };
}

/** Whether all applications must be read: some are declared, or other objects refer to them by name. */
function needsApplications(declared: readonly Declared[]): boolean {
  return declared.some(
    ({ kind, outcome }) => kind === 'application' || (outcome.ok && (outcome.value.application ?? '') !== ''),
  );
}

/**
 * Reads what the service has of the declared objects. The failure of one lookup is part of the result.
 * @param candidates objects that may be pruned
 * @throws if the service cannot be reached or prune candidates cannot be read
 */
export async function readRemote(
  client: Client,
  declared: readonly Declared[],
  candidates: readonly LockedObject[],
  options: ReadOptions,
): Promise<Remote> {
  const target = (await client.connection()).transport.url;
  const namesOf = (kind: Kind) =>
    declared
      .filter((object) => object.kind === kind && object.outcome.ok)
      .flatMap(({ name, previousName }) => (previousName === undefined ? [name] : [name, previousName]));
  const pruning = await readOrphans(client, candidates);
  const listed = needsApplications(declared)
    ? await attempt(options.signal, () => listObjects(client, 'application'))
    : undefined;
  const findApplication = async (name: string) => {
    const found = (listed ? unwrap(listed) : []).filter(({ content }) => content.name === name);
    assertUnique('application', name, found);
    return found[0];
  };
  const findReferring = async <K extends Kind>(kind: K, name: string) => {
    // Without the applications, what an object refers to cannot be told.
    if (listed) unwrap(listed);
    return findObject(client, kind, name);
  };
  return {
    target,
    found: {
      application: await lookUp(namesOf('application'), findApplication, options),
      reactor: await lookUp(namesOf('reactor'), (name) => findReferring('reactor', name), options),
      proxy: await lookUp(namesOf('proxy'), (name) => findReferring('proxy', name), options),
      webhook: await lookUp(namesOf('webhook'), (name) => findObject(client, 'webhook', name), options),
      tenant: await lookUp(namesOf('tenant'), () => findObject(client, 'tenant', ''), options),
    },
    applications: listed?.ok ? listed.value : [],
    ...pruning,
  };
}
