import { isTokenId, TOKEN_ID_RULE } from '../../../src/contract/schemas/tokens.js';
import { evaluateText, renderText, usesAlias } from '../../expressions/index.js';
import type { FieldChecks } from './field-checks.js';

/** Number of times that a taken id from an alias expression is drawn again before a UUID replaces it. */
const MAX_DRAWS = 10;

/** An id for a new token; decisions.md, "Ids". */
export interface IdCandidate {
  readonly id: string;
  /** True for a generated UUID, which no other token has. */
  readonly assigned: boolean;
  /** Returns another candidate if this id is taken. Absent when a taken id is an error of the caller: 409. */
  readonly next?: () => IdCandidate;
}

/**
 * Chooses the id of a new token.
 * @param requested a literal, an expression over `data`, or nothing for a UUID
 */
export function chooseId(
  requested: string | null | undefined,
  data: unknown,
  now: number,
  uuid: () => string,
  checks: FieldChecks,
): IdCandidate {
  if (requested === null || requested === undefined) return { id: uuid(), assigned: true };
  if (!requested.includes('{{')) return { id: requested, assigned: false };
  const draw = () => renderText(evaluateText(requested, { data }, now));
  const id = checks.evaluate('id', draw) ?? '';
  if (!checks.errors.id && !isTokenId(id))
    checks.add('id', `the result of the expression is not a valid id; accepted is ${TOKEN_ID_RULE}`);
  return usesAlias(requested) ? drawnCandidate(id, draw, uuid, MAX_DRAWS) : { id, assigned: false };
}

function drawnCandidate(id: string, draw: () => string, uuid: () => string, draws: number): IdCandidate {
  const next = () =>
    draws > 0 ? drawnCandidate(draw(), draw, uuid, draws - 1) : { id: uuid(), assigned: true };
  return { id, assigned: false, next };
}
