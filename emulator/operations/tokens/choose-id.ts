import { isTokenId, TOKEN_ID_RULE } from '../../../src/contract/schemas/tokens.js';
import { evaluateText, renderText, usesAlias } from '../../expressions/index.js';
import type { FieldChecks } from './field-checks.js';

/** How often a taken id from an alias expression is drawn again before a UUID takes its place. */
const MAX_DRAWS = 10;

/** The id of a token to be created; decisions.md, "Ids". */
export interface IdCandidate {
  readonly id: string;
  /** A UUID of our own, which nobody else has. */
  readonly assigned: boolean;
  /** Another one, when this is taken. Absent where a collision is the caller's: 409. */
  readonly next?: () => IdCandidate;
}

/** @param given a literal, an expression over `data`, or nothing for a UUID */
export function chooseId(
  given: string | null | undefined,
  data: unknown,
  now: number,
  uuid: () => string,
  checks: FieldChecks,
): IdCandidate {
  if (given === null || given === undefined) return { id: uuid(), assigned: true };
  if (!given.includes('{{')) return { id: given, assigned: false };
  const draw = () => renderText(evaluateText(given, { data }, now));
  const id = checks.evaluate('id', draw) ?? '';
  if (!checks.errors.id && !isTokenId(id))
    checks.add('id', `the expression gives something else than ${TOKEN_ID_RULE}`);
  return usesAlias(given) ? drawnCandidate(id, draw, uuid, MAX_DRAWS) : { id, assigned: false };
}

function drawnCandidate(id: string, draw: () => string, uuid: () => string, draws: number): IdCandidate {
  const another = () =>
    draws > 0 ? drawnCandidate(draw(), draw, uuid, draws - 1) : { id: uuid(), assigned: true };
  return { id, assigned: false, next: another };
}
