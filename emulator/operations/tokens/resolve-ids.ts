import type { MaybePromise } from '../../lib/maybe-promise.js';
import { ProblemError } from '../../problems/problem.js';
import type { Stored, TokenRecord } from '../../store/records.js';
import type { Call } from '../call.js';
import type { Context } from '../context.js';
import { isExpired } from '../token-expiry.js';
import type { NewToken } from './prepare-token.js';

interface ResolvedIds {
  /** The new tokens, each with an unused id. */
  tokens: readonly NewToken[];
  /** Expired tokens that still hold one of the ids; they must be deleted in the same commit. */
  expired: Stored<TokenRecord>[];
}

/** Literal ids of new tokens are taken: 409. */
export class IdsTakenError extends ProblemError {
  /** @param indexes of the tokens with these ids, in the list of new tokens */
  constructor(readonly indexes: readonly number[]) {
    super('idTaken', 'A token with this id already exists.');
  }
}

type Needs = Pick<Context, 'store' | 'clock'>;

/**
 * Resolves the ids of new tokens. An id from an alias expression that is taken, by a stored token or by an earlier one
 * of the list, is drawn again (decisions.md, "Ids").
 * @throws IdsTakenError with all literal ids that are taken
 */
export function resolveIds(
  tokens: readonly NewToken[],
  call: Pick<Call, 'tenant'>,
  context: Needs,
): MaybePromise<ResolvedIds> {
  return tokens.every(({ idCandidate }) => idCandidate.assigned)
    ? { tokens, expired: [] }
    : resolveChosenIds(tokens, call, context);
}

async function resolveChosenIds(
  tokens: readonly NewToken[],
  call: Pick<Call, 'tenant'>,
  context: Needs,
): Promise<ResolvedIds> {
  const resolvedTokens: NewToken[] = [];
  const result: ResolvedIds = { tokens: resolvedTokens, expired: [] };
  const ids = new Set<string>();
  const taken: number[] = [];
  for (const [index, token] of tokens.entries()) {
    const { assigned } = token.idCandidate;
    const resolved = assigned ? token : await resolveId(token, ids, result.expired, call, context);
    if (!resolved) {
      taken.push(index);
      continue;
    }
    ids.add(resolved.record.id);
    resolvedTokens.push(resolved);
  }
  if (taken.length > 0) throw new IdsTakenError(taken);
  return result;
}

/** Returns the token with an unused id; undefined if its id is literal and taken. */
async function resolveId(
  token: NewToken,
  ids: ReadonlySet<string>,
  expired: Stored<TokenRecord>[],
  call: Pick<Call, 'tenant'>,
  { store, clock }: Needs,
): Promise<NewToken | undefined> {
  let { idCandidate } = token;
  while (!idCandidate.assigned) {
    const holder = await store.get('tokens', call.tenant.id, idCandidate.id);
    const taken = ids.has(idCandidate.id) || (holder !== undefined && !isExpired(holder, clock.now()));
    if (!taken) {
      if (holder) expired.push(holder);
      break;
    }
    if (!idCandidate.next) return undefined;
    idCandidate = await idCandidate.next();
  }
  return { ...token, idCandidate, record: { ...token.record, id: idCandidate.id } };
}
