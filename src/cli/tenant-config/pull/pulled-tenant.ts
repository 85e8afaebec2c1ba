import type { Client } from '../../../client/client.js';
import { mapLeaves } from '../../../contract/json.js';
import { unlessStatus } from '../../lib/key-owner.js';
import { TENANT } from '../declaration/declare.js';
import { ApplicationIds } from '../resources/application-ids.js';
import { type Content, fieldsOf, formatCount, KINDS, type Kind, type Stored } from '../resources/content.js';
import { listObjects as listStored } from '../resources/objects.js';

/** An object that a manifest cannot declare, and why. */
export interface LeftOut {
  kind: Kind;
  name: string;
  reason: string;
}

/** What a tenant contains, with references by name. */
export interface PulledTenant {
  /** By kind. Absent is an optional kind that the service does not have, or the key may not read. */
  contents: Partial<Record<Kind, Content[]>>;
  /** IDs of deleted applications that reactors and proxies still refer to. */
  deleted: ReadonlySet<string>;
  leftOut: LeftOut[];
}

/** Sorts objects and sets apart those that share a name, which cannot be declared, since names are keys. */
function separate(kind: Kind, contents: readonly Content[]): { unique: Content[]; leftOut: LeftOut[] } {
  const count = (name: string) => contents.filter((one) => one.name === name).length;
  const sorted = [...contents].sort((one, other) => one.name.localeCompare(other.name, 'en'));
  const shared = new Set(sorted.filter(({ name }) => count(name) > 1).map(({ name }) => name));
  return {
    unique: sorted.filter(({ name }) => !shared.has(name)),
    leftOut: [...shared].map((name) => ({
      kind,
      name,
      reason: `${formatCount(count(name), kind)} have this name; rename all but one`,
    })),
  };
}

/** What every tenant and service has; a manifest that is pulled lists other kinds only if there are any. */
const BASIC_KINDS: readonly Kind[] = ['tenant', 'application', 'reactor'];

export const isOptional = (kind: Kind): boolean => !BASIC_KINDS.includes(kind);

/** Lists objects of a kind; undefined if the service does not have the kind, or the key may not read it. */
const readKind = (client: Client, kind: Kind): Promise<Stored[] | undefined> =>
  unlessStatus(isOptional(kind) ? [403, 404] : [], listStored(client, kind));

function listDeleted(objects: readonly Stored[]): Set<string> {
  const existing = new Set(objects.map(({ id }) => id));
  return new Set(
    objects.flatMap(({ content: { application: id } }) => (id && !existing.has(id) ? [id] : [])),
  );
}

/**
 * Keeps what a service says from being read as a reference: an address must not take a variable of whoever applies it. Configuration
 * is escaped where its values are written.
 */
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

/** Reads everything that a manifest can declare. */
export async function readTenant(client: Client): Promise<PulledTenant> {
  const read: [Kind, Stored[]][] = [];
  for (const kind of KINDS) {
    const stored = await readKind(client, kind);
    if (stored) read.push([kind, stored]);
  }
  const all = read.flatMap(([, stored]) => stored);
  const ids = new ApplicationIds();
  ids.addAll(all.filter(({ kind }) => kind === 'application'));
  const contents: PulledTenant['contents'] = {};
  const leftOut: LeftOut[] = [];
  for (const [kind, stored] of read) {
    const separated = separate(
      kind,
      stored.map((one) => escapeReferences(kind, ids.withName(one).content)),
    );
    contents[kind] = separated.unique;
    leftOut.push(...separated.leftOut);
  }
  return { contents, deleted: listDeleted(all), leftOut };
}

/** Limits a tenant to what a function selects. */
export function limitTenant(
  { contents, deleted, leftOut }: PulledTenant,
  includes: (object: { kind: Kind; name: string }) => boolean,
): PulledTenant {
  const limited = KINDS.flatMap((kind) => {
    const all = contents[kind];
    if (all === undefined) return [];
    return [[kind, all.filter((content) => includes({ kind, name: nameOf(kind, content) }))]];
  });
  return { contents: Object.fromEntries(limited), deleted, leftOut: leftOut.filter(includes) };
}

export const listObjects = ({ contents }: PulledTenant): { kind: Kind; content: Content }[] =>
  KINDS.flatMap((kind) => (contents[kind] ?? []).map((content) => ({ kind, content })));

const nameOf = (kind: Kind, { name }: Content): string => (kind === 'tenant' ? TENANT : name);

export const listNames = (tenant: PulledTenant): { kind: Kind; name: string }[] =>
  listObjects(tenant).map(({ kind, content }) => ({ kind, name: nameOf(kind, content) }));
