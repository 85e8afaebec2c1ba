import type { Call } from '../call.js';
import type { Context } from '../context.js';
import { type Page, type PageQuery, toOffsetLimit, toPage } from '../pagination.js';
import { type ServedResource, serialize } from './served-resource.js';

interface ListQuery extends PageQuery {
  id?: string[];
  name?: string;
}

/** Lists the objects of a tenant, the newest first: those with an id out of several, or with a name that a pattern matches. */
export async function listRecords(
  served: ServedResource,
  query: ListQuery,
  call: Call,
  { store }: Pick<Context, 'store'>,
): Promise<Page<unknown>> {
  const { collection } = served.row;
  const ids = query.id?.map((id) => id.toLowerCase());
  const scope = { tenantId: call.tenant.id, ...(ids && { where: { ids } }) };
  const { name } = query;
  const { offset, limit } = toOffsetLimit(query);
  if (name === undefined) {
    const { records, total } = await store.find(collection, { ...scope, offset, limit });
    return toPage(
      records.map((record) => serialize(served, record)),
      total,
      query,
    );
  }
  // Names are compared one by one, since a tenant has few objects and all are in memory.
  const { records } = await store.find(collection, scope);
  const matching = records.filter((record) => matchesName(record.name, name));
  const page = matching.slice(offset, offset + limit).map((record) => serialize(served, record));
  return toPage(page, matching.length, query);
}

/**
 * Whether a name matches a pattern, case-insensitively: `*` matches any characters, `?` one character, and a pattern
 * without either any substring (decisions.md, "Reactors"). The time is at most proportional to name × pattern.
 */
export function matchesName(name: string, pattern: string): boolean {
  const text = [...name.toLowerCase()];
  const lowerPattern = pattern.toLowerCase();
  if (!/[*?]/.test(lowerPattern)) return name.toLowerCase().includes(lowerPattern);
  return matchesGlob(text, [...lowerPattern]);
}

/** Backtracks to the last `*` only; the matches of earlier ones need not change. */
function matchesGlob(text: readonly string[], glob: readonly string[]): boolean {
  let at = 0;
  let globAt = 0;
  let star = -1;
  let resumeAt = 0;
  while (at < text.length) {
    if (glob[globAt] === '*') {
      star = globAt;
      globAt += 1;
      resumeAt = at;
    } else if (glob[globAt] === '?' || glob[globAt] === text[at]) {
      at += 1;
      globAt += 1;
    } else if (star >= 0) {
      globAt = star + 1;
      resumeAt += 1;
      at = resumeAt;
    } else return false;
  }
  return glob.slice(globAt).every((character) => character === '*');
}
