import pLimit from 'p-limit';
import type { Client } from '../../../client/client.js';
import { type Attempt, attempt, unwrap } from '../../lib/attempt.js';
import { CliError } from '../../lib/errors.js';
import type { Declared } from '../declaration/declared.js';
import type { LockedObject } from '../lock/lock-content.js';
import { ADAPTERS } from '../resources/adapters.js';
import { formatCount, KINDS, type Kind, type Stored } from '../resources/content.js';

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

/** As many objects of a kind are read one by one. For more, a list of the whole kind takes fewer requests. */
export const FEW_OBJECTS = 5;

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

/**
 * Returns a function that lists the objects of a kind and name.
 * @param wanted all that it is called for, of which many of a kind take one list
 */
export function createLookup(
  client: Client,
  wanted: readonly { kind: Kind }[],
): (kind: Kind, name: string) => Promise<Stored<Kind>[]> {
  const lists = new Map<Kind, Promise<Stored<Kind>[]>>();
  return async (kind, name) => {
    if (wanted.filter((one) => one.kind === kind).length <= FEW_OBJECTS)
      return listObjects<Kind>(client, kind, name);
    const list = lists.get(kind) ?? listObjects<Kind>(client, kind);
    lists.set(kind, list);
    return (await list).filter(({ content }) => content.name === name);
  };
}

/** Reads a stored object again; undefined if it was deleted. */
export function readObject<K extends Kind>(
  client: Client,
  kind: K,
  id: string,
): Promise<Stored<K> | undefined> {
  return ADAPTERS[kind].get(client, id);
}

/** Reads stored objects again, by ID. Those that were deleted are left out. */
export async function readObjects<K extends Kind>(
  client: Client,
  kind: K,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Stored<K>>> {
  const found =
    ids.length > FEW_OBJECTS
      ? await listObjects(client, kind)
      : await Promise.all(ids.map((id) => readObject(client, kind, id)));
  return new Map(found.flatMap((stored) => (stored ? [[stored.id, stored]] : [])));
}

/**
 * Finds objects by name.
 * @param listed all objects of the kind, if they have been read
 */
async function lookUp<K extends Kind>(
  client: Client,
  kind: K,
  names: ReadonlySet<string>,
  { concurrency, signal }: ReadOptions,
  listed?: Attempt<Stored<K>[]>,
): Promise<Map<string, Lookup<K>>> {
  const isMany = names.size > FEW_OBJECTS;
  const all = listed ?? (isMany ? await attempt(signal, () => listObjects(client, kind)) : undefined);
  const find = async (name: string) => {
    const found = all
      ? unwrap(all).filter(({ content }) => content.name === name)
      : await listObjects(client, kind, name);
    assertUnique(kind, name, found);
    return found[0];
  };
  const lookups = pLimit(concurrency).map(names, async (name) => {
    const lookup = await attempt(signal, () => find(name));
    return [name, lookup] as const;
  });
  return new Map(await lookups);
}

/** An object that was renamed since has become someone else's and is neither an orphan nor gone. */
async function readOrphans(
  client: Client,
  candidates: readonly LockedObject[],
): Promise<Pick<Remote, 'orphans' | 'gone'>> {
  const found = new Map<string, Stored<Kind>>();
  for (const kind of KINDS) {
    const ids = candidates.filter((candidate) => candidate.kind === kind).map(({ id }) => id);
    for (const [id, stored] of await readObjects<Kind>(client, kind, ids)) found.set(id, stored);
  }
  return {
    orphans: candidates.flatMap(({ id, name }) => {
      const stored = found.get(id);
      return stored?.content.name === name ? [stored] : [];
    }),
    gone: candidates.filter(({ id }) => !found.has(id)).map(({ id }) => id),
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
  const applications = needsApplications(declared)
    ? await attempt(options.signal, () => listObjects(client, 'application'))
    : undefined;
  // Without the applications, what an object refers to cannot be told.
  const unreadable = applications?.ok === false ? applications : undefined;
  const find = <K extends Kind>(kind: K, listed?: Attempt<Stored<K>[]>) =>
    lookUp(client, kind, new Set(namesOf(kind)), options, listed);
  return {
    target,
    found: {
      application: await find('application', applications),
      reactor: await find('reactor', unreadable),
      proxy: await find('proxy', unreadable),
      webhook: await find('webhook'),
      tenant: await find('tenant'),
    },
    applications: applications?.ok ? applications.value : [],
    ...pruning,
  };
}
