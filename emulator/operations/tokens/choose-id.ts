import { isTokenId, TOKEN_ID_RULE } from '../../../src/contract/schemas/tokens.js';
import { type RequestBudget, renderText, usesAlias } from '../../expressions/index.js';
import type { MaybePromise } from '../../lib/maybe-promise.js';
import type { FieldChecks } from './field-checks.js';

/** Number of times that a taken id from an alias expression is drawn again before a UUID replaces it. */
const MAX_DRAWS = 10;

/** An id for a new token; decisions.md, "Ids". */
export interface IdCandidate {
  readonly id: string;
  /** True for a generated UUID, which no other token has. */
  readonly assigned: boolean;
  /** Returns another candidate if this id is taken. Absent when a taken id is an error of the caller: 409. */
  readonly next?: () => Promise<IdCandidate>;
}

/**
 * Chooses the id of a new token.
 * @param requested a literal, an expression over `data`, or nothing for a UUID
 */
export function chooseId(
  requested: string | null | undefined,
  data: unknown,
  budget: RequestBudget,
  uuid: () => string,
  checks: FieldChecks,
): MaybePromise<IdCandidate> {
  if (requested === null || requested === undefined) return { id: uuid(), assigned: true };
  if (!requested.includes('{{')) return { id: requested, assigned: false };
  return evaluateId(requested, data, budget, uuid, checks);
}

async function evaluateId(
  requested: string,
  data: unknown,
  budget: RequestBudget,
  uuid: () => string,
  checks: FieldChecks,
): Promise<IdCandidate> {
  const draw = async () => renderText(await budget.evaluate(requested, { data }, 'id'));
  const id = (await checks.evaluate('id', draw)) ?? '';
  if (!checks.errors.id && !isTokenId(id))
    checks.add('id', `the result of the expression is not a valid id; accepted is ${TOKEN_ID_RULE}`);
  return usesAlias(requested) ? drawnCandidate(id, draw, uuid, MAX_DRAWS) : { id, assigned: false };
}

function drawnCandidate(
  id: string,
  draw: () => Promise<string>,
  uuid: () => string,
  draws: number,
): IdCandidate {
  const next = async () =>
    draws > 0 ? drawnCandidate(await draw(), draw, uuid, draws - 1) : { id: uuid(), assigned: true };
  return { id, assigned: false, next };
}
