import { problem } from '../../problems/problem.js';
import type { Stored, TokenRecord } from '../../store/records.js';
import type { Call } from '../call.js';
import type { Context } from '../context.js';
import { isExpired } from './lifetime.js';
import type { NewToken } from './prepare-token.js';

export interface ResolvedIds {
  /** The drafts, under ids that nobody has. */
  tokens: NewToken[];
  /** Expired tokens that still hold one of the ids; to be removed in the same commit. */
  expired: Stored<TokenRecord>[];
}

/**
 * Draws again where an alias is taken, in the tenant or among the drafts themselves.
 * @throws ProblemError 409 for a literal that is taken
 */
export async function resolveIds(
  drafts: readonly NewToken[],
  call: Call,
  context: Context,
): Promise<ResolvedIds> {
  const result: ResolvedIds = { tokens: [], expired: [] };
  const ids = new Set<string>();
  for (const draft of drafts) {
    const settled = await resolveId(draft, ids, result.expired, call, context);
    ids.add(settled.record.id);
    result.tokens.push(settled);
  }
  return result;
}

async function resolveId(
  draft: NewToken,
  ids: ReadonlySet<string>,
  expired: Stored<TokenRecord>[],
  call: Call,
  context: Context,
): Promise<NewToken> {
  let { idCandidate: chosen } = draft;
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
  return chosen === draft.idCandidate
    ? draft
    : { ...draft, idCandidate: chosen, record: { ...draft.record, id: chosen.id } };
}
