import type { Permission, Transform } from '../../../src/contract/permissions.js';
import { problem } from '../../problems/problem.js';
import type { Call } from '../call.js';

/**
 * The transform under which a caller may touch a token: one covered container suffices.
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

/** @throws ProblemError 403 when the permission is not granted on each of the containers */
export function requirePermissionOnAll(
  permission: Permission,
  containers: readonly string[],
  call: Call,
): void {
  if (call.access.grantedOnAll(permission, containers)) return;
  throw problem('forbidden', `The key lacks the permission ${permission} on one of the token's containers.`);
}
