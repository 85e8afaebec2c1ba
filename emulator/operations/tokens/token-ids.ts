import { isTokenId, TOKEN_ID_RULE } from '../../../src/contract/schemas/tokens.js';
import { type RequestBudget, renderText, usesAlias } from '../../expressions/index.js';
import type { MaybePromise } from '../../lib/maybe-promise.js';
import { ProblemError } from '../../problems/problem.js';
import type { Stored, TokenRecord } from '../../store/records.js';
import type { Call, Context } from '../context.js';
import { isExpired } from '../token-expiry.js';
import type { FieldChecks } from './field-checks.js';

// The ids of new tokens (decisions.md, "Ids"): chosen when a token is prepared, settled when it is inserted.

/** Number of times that a taken id from an alias expression is drawn again before a UUID replaces it. */
const MAX_DRAWS = 10;

/** An id for a new token, which another token may have. */
export interface IdCandidate {
  readonly id: string;
  /** True for a generated UUID, which no other token has. */
  readonly assigned: boolean;
  /** Evaluates the alias expression again. Absent when a taken id is an error of the caller: 409. */
  readonly draw?: () => Promise<string>;
}

/** Chooses the id of a new token. @param requested a literal, an expression over `data`, or nothing for a UUID */
export function chooseId(
  requested: string | null | undefined,
  data: unknown,
  budget: RequestBudget,
  uuid: () => string,
  checks: FieldChecks,
): MaybePromise<IdCandidate> {
  if (requested === null || requested === undefined) return { id: uuid(), assigned: true };
  if (!requested.includes('{{')) return { id: requested, assigned: false };
  return evaluateId(requested, data, budget, checks);
}

async function evaluateId(requested: string, data: unknown, budget: RequestBudget, checks: FieldChecks) {
  const draw = async () => renderText(await budget.evaluate(requested, { data }, 'id'));
  const id = (await checks.evaluate('id', draw)) ?? '';
  if (!checks.errors.id && !isTokenId(id))
    checks.add('id', `the result of the expression is not a valid id; accepted is ${TOKEN_ID_RULE}`);
  return { id, assigned: false, ...(usesAlias(requested) && { draw }) };
}

export class IdsTakenError extends ProblemError {
  /** @param indexes of the tokens with these ids, in the list of new tokens */
  constructor(readonly indexes: readonly number[]) {
    super('idTaken', 'A token with this id already exists.');
  }
}

interface TokenWithId {
  readonly record: TokenRecord;
  readonly idCandidate: IdCandidate;
}

interface ResolvedIds<Token> {
  /** The new tokens, each with an unused id. */
  tokens: readonly Token[];
  /** Expired tokens that still hold one of the ids; they must be deleted in the same commit. */
  expired: Stored<TokenRecord>[];
}

type Needs = Pick<Context, 'store' | 'clock' | 'ids'>;

/** Resolves the ids of new tokens. One of an alias that is taken is drawn again. @throws IdsTakenError for literal ids */
export function resolveIds<Token extends TokenWithId>(
  tokens: readonly Token[],
  call: Pick<Call, 'tenant'>,
  services: Needs,
): MaybePromise<ResolvedIds<Token>> {
  return tokens.every(({ idCandidate }) => idCandidate.assigned)
    ? { tokens, expired: [] }
    : resolveChosenIds(tokens, call, services);
}

async function resolveChosenIds<Token extends TokenWithId>(
  tokens: readonly Token[],
  { tenant }: Pick<Call, 'tenant'>,
  { store, clock, ids }: Needs,
): Promise<ResolvedIds<Token>> {
  const resolved = new Map<string, Token>();
  const expired: Stored<TokenRecord>[] = [];
  const taken: number[] = [];
  const isTaken = async (id: string): Promise<boolean> => {
    const holder = await store.get('tokens', tenant.id, id);
    if (resolved.has(id) || (holder && !isExpired(holder, clock.now()))) return true;
    if (holder) expired.push(holder);
    return false;
  };
  for (const [index, token] of tokens.entries()) {
    const { idCandidate, record } = token;
    const id = idCandidate.assigned ? idCandidate.id : await unusedId(idCandidate, isTaken, ids.uuid);
    if (id === undefined) taken.push(index);
    else resolved.set(id, { ...token, record: { ...record, id } });
  }
  if (taken.length > 0) throw new IdsTakenError(taken);
  return { tokens: [...resolved.values()], expired };
}

async function unusedId(
  { id: first, draw }: IdCandidate,
  isTaken: (id: string) => Promise<boolean>,
  uuid: () => string,
): Promise<string | undefined> {
  let id = first;
  for (let draws = 0; await isTaken(id); draws++) {
    if (!draw) return undefined;
    if (draws === MAX_DRAWS) return uuid();
    id = await draw();
  }
  return id;
}
