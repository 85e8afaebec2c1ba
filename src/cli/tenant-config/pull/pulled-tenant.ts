import type { Client } from '../../../client/client.js';
import { mapLeaves } from '../../../contract/json.js';
import { unlessStatus } from '../../lib/key-owner.js';
import { TENANT } from '../declaration/declare.js';
import { ApplicationIds } from '../resources/application-ids.js';
import { type Content, fieldsOf, formatCount, KINDS, type Kind, type Stored } from '../resources/content.js';
import { listObjects } from '../resources/objects.js';

/** An object that a manifest cannot declare, and why. */
export interface LeftOut {
  kind: Kind;
  name: string;
  reason: string;
}

/** An object as a manifest declares it, with references by name. */
export interface PulledObject {
  kind: Kind;
  /** In plans: that of the tenant is the same for all. */
  name: string;
  content: Content;
}

export interface PulledTenant {
  /** In the order of the kinds and of the names. */
  objects: PulledObject[];
  /** IDs of deleted applications that reactors and proxies still refer to. */
  deleted: ReadonlySet<string>;
  leftOut: LeftOut[];
}

/** Sets apart objects that share a name, which cannot be declared, since names are keys. */
function separate(all: readonly PulledObject[]): Pick<PulledTenant, 'objects' | 'leftOut'> {
  const named = new Map<string, PulledObject[]>();
  for (const one of all) {
    const key = `${one.kind} ${one.name}`;
    named.set(key, [...(named.get(key) ?? []), one]);
  }
  const [objects, leftOut]: [PulledObject[], LeftOut[]] = [[], []];
  for (const [first, ...others] of named.values() as Iterable<[PulledObject, ...PulledObject[]]>) {
    const { kind, name } = first;
    const count = formatCount(others.length + 1, kind);
    if (others.length === 0) objects.push(first);
    else leftOut.push({ kind, name, reason: `${count} have this name; rename all but one` });
  }
  return { objects, leftOut };
}

/** What every tenant and service has; a manifest that is pulled lists other kinds only if there are any. */
const BASIC_KINDS: readonly Kind[] = ['tenant', 'application', 'reactor'];

export const isBasic = (kind: Kind): boolean => BASIC_KINDS.includes(kind);

/** Lists objects of a kind; undefined if the service does not have the kind, or the key may not read it. */
const readKind = (client: Client, kind: Kind): Promise<Stored[] | undefined> =>
  unlessStatus(isBasic(kind) ? [] : [403, 404], listObjects(client, kind));

function listDeleted(objects: readonly Stored[]): Set<string> {
  const existing = new Set(objects.map(({ id }) => id));
  return new Set(
    objects.flatMap(({ content: { application: id } }) => (id && !existing.has(id) ? [id] : [])),
  );
}

/** Keeps an address of a service from taking a variable of whoever applies it. Configuration is escaped when it is written. */
function escapeReferences(kind: Kind, content: Content): Content {
  const toLiteral = (value: unknown, references: RegExp) =>
    mapLeaves(value, (leaf) => (typeof leaf === 'string' ? leaf.replace(references, '$$$&') : leaf));
  const escaped = fieldsOf(kind)
    .filter(
      ([name, field]) => name !== 'name' && !['code', 'transform'].includes(field.kind) && !field.secret,
    )
    .filter(([name]) => content[name as keyof Content] !== undefined)
    .map(([name, field]) => [
      name,
      toLiteral(content[name as keyof Content], field.kind === 'url' ? /\$\{(?:var|env):/g : /\$\{var:/g),
    ]);
  return { ...content, ...Object.fromEntries(escaped) };
}

const byName = (one: Stored, other: Stored): number =>
  one.content.name.localeCompare(other.content.name, 'en');

export async function readTenant(client: Client): Promise<PulledTenant> {
  const stored: Stored[] = [];
  for (const kind of KINDS) stored.push(...((await readKind(client, kind)) ?? []).sort(byName));
  const ids = new ApplicationIds();
  ids.addAll(stored.filter(({ kind }) => kind === 'application'));
  const objects = stored.map((one): PulledObject => {
    const { kind } = one;
    const content = escapeReferences(kind, ids.withName(one).content);
    return { kind, name: kind === 'tenant' ? TENANT : content.name, content };
  });
  return { ...separate(objects), deleted: listDeleted(stored) };
}

export const limitTenant = (
  { objects, deleted, leftOut }: PulledTenant,
  includes: (object: Pick<PulledObject, 'kind' | 'name'>) => boolean,
): PulledTenant => ({ objects: objects.filter(includes), deleted, leftOut: leftOut.filter(includes) });
