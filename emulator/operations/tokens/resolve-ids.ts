import { problem } from '../../problems/problem.js';
import type { Stored, TokenRecord } from '../../store/records.js';
import type { Call } from '../call.js';
import type { Context } from '../context.js';
import { isExpired } from '../token-expiry.js';
import type { NewToken } from './prepare-token.js';

export interface ResolvedIds {
  /** The new tokens, each with an unused id. */
  tokens: NewToken[];
  /** Expired tokens that still hold one of the ids; they must be deleted in the same commit. */
  expired: Stored<TokenRecord>[];
}

type Needs = Pick<Context, 'store' | 'clock'>;

/**
 * Resolves the ids of new tokens. An id from an alias expression that is taken, by a stored token or by an earlier one
 * of the list, is drawn again (decisions.md, "Ids").
 * @throws ProblemError 409 for a literal id that is taken
 */
export async function resolveIds(
  tokens: readonly NewToken[],
  call: Pick<Call, 'tenant'>,
  context: Needs,
): Promise<ResolvedIds> {
  const result: ResolvedIds = { tokens: [], expired: [] };
  const ids = new Set<string>();
  for (const token of tokens) {
    const { assigned } = token.idCandidate;
    const resolved = assigned ? token : await resolveId(token, ids, result.expired, call, context);
    ids.add(resolved.record.id);
    result.tokens.push(resolved);
  }
  return result;
}

async function resolveId(
  token: NewToken,
  ids: ReadonlySet<string>,
  expired: Stored<TokenRecord>[],
  call: Pick<Call, 'tenant'>,
  { store, clock }: Needs,
): Promise<NewToken> {
  let { idCandidate } = token;
  while (!idCandidate.assigned) {
    const holder = await store.get('tokens', call.tenant.id, idCandidate.id);
    const taken = ids.has(idCandidate.id) || (holder !== undefined && !isExpired(holder, clock.now()));
    if (!taken) {
      if (holder) expired.push(holder);
      break;
    }
    if (!idCandidate.next) throw problem('idTaken', 'A token with this id already exists.');
    idCandidate = await idCandidate.next();
  }
  return { ...token, idCandidate, record: { ...token.record, id: idCandidate.id } };
}
