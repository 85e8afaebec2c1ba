import type { Permission, Transform } from '../../../src/contract/permissions.js';
import { problem } from '../../problems/problem.js';
import type { Call } from '../call.js';

/**
 * Requires a permission on at least one of the containers of a token.
 * @returns the transform of the rule that grants it
 * @throws ProblemError 403 when no rule grants the permission on any of the containers
 */
export function requirePermissionOnAny(
  permission: Permission,
  containers: readonly string[],
  call: Call,
): Transform {
  const transform = call.access.transform(permission, containers);
  if (transform !== undefined) return transform;
  throw problem('forbidden', `The key lacks the permission ${permission} on the token's containers.`);
}

/** Requires a permission on each of the containers. @throws ProblemError 403 */
export function requirePermissionOnAll(
  permission: Permission,
  containers: readonly string[],
  call: Call,
): void {
  if (call.access.grantedOnAll(permission, containers)) return;
  throw problem('forbidden', `The key lacks the permission ${permission} on one of the token's containers.`);
}
