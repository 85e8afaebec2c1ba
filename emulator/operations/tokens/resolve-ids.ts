import { problem } from '../../problems/problem.js';
import type { Stored, TokenRecord } from '../../store/records.js';
import type { Call } from '../call.js';
import type { Context } from '../context.js';
import type { Draft } from './draft.js';
import { isExpired } from './lifetime.js';

export interface ResolvedIds {
  /** The drafts, under ids that nobody has. */
  settled: Draft[];
  /** Expired tokens that still hold one of the ids; to be removed in the same commit. */
  expired: Stored<TokenRecord>[];
}

/**
 * Draws again where an alias is taken, in the tenant or among the drafts themselves.
 * @throws ProblemError 409 for a literal that is taken
 */
export async function resolveIds(
  drafts: readonly Draft[],
  call: Call,
  context: Context,
): Promise<ResolvedIds> {
  const result: ResolvedIds = { settled: [], expired: [] };
  const ids = new Set<string>();
  for (const draft of drafts) {
    const settled = await settle(draft, ids, result.expired, call, context);
    ids.add(settled.record.id);
    result.settled.push(settled);
  }
  return result;
}

async function settle(
  draft: Draft,
  ids: ReadonlySet<string>,
  expired: Stored<TokenRecord>[],
  call: Call,
  context: Context,
): Promise<Draft> {
  let { chosen } = draft;
  while (!chosen.assigned) {
    const holder = await context.store.get('tokens', call.tenant.id, chosen.id);
    const taken = ids.has(chosen.id) || (holder !== undefined && !isExpired(holder, context.clock.now()));
    if (!taken) {
      if (holder) expired.push(holder);
      break;
    }
    if (!chosen.next) throw problem('idTaken', 'A token with this id exists already.');
    chosen = chosen.next();
  }
  return chosen === draft.chosen ? draft : { ...draft, chosen, record: { ...draft.record, id: chosen.id } };
}
