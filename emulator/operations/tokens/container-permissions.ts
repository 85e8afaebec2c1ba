import type { Permission, Transform } from '../../../src/contract/permissions.js';
import type { CheckedToken } from '../../access/access-check.js';
import { type ProblemError, problem } from '../../problems/problem.js';
import { findTransform, isGrantedOnAll } from '../authorize.js';
import type { Call } from '../call.js';

/**
 * Requires a permission on at least one of the containers of a token.
 * @returns the transform of the rule that grants it
 * @throws ProblemError 403 when no rule grants the permission on any of the containers
 */
export function requirePermissionOnAny(permission: Permission, token: CheckedToken, call: Call): Transform {
  const transform = findTransform(permission, token, call);
  if (transform !== undefined) return transform;
  throw lacksPermission(permission, "the token's containers", call);
}

/** Requires a permission on each container of a token. @throws ProblemError 403 */
export function requirePermissionOnAll(permission: Permission, token: CheckedToken, call: Call): void {
  if (isGrantedOnAll(permission, token, call)) return;
  throw lacksPermission(permission, "one of the token's containers", call);
}

/** Containers that a message names at most. */
const NAMED_CONTAINERS = 5;

/** Names the containers that the permission is granted on. Those of the token are not for a caller that may not read it. */
function lacksPermission(permission: Permission, where: string, { access }: Call): ProblemError {
  const granted = access.containers(permission);
  const named = granted.slice(0, NAMED_CONTAINERS).join(', ');
  const more = granted.length > NAMED_CONTAINERS ? ` and ${granted.length - NAMED_CONTAINERS} more` : '';
  const only = granted.length === 0 ? '' : ` It is granted on ${named}${more}.`;
  return problem('forbidden', `The key lacks the permission ${permission} on ${where}.${only}`);
}
