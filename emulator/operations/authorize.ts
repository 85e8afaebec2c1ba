import { type OperationId, operationRow } from '../../src/contract/operations.js';
import {
  containerOfId,
  isPermission,
  type Permission,
  type Transform,
} from '../../src/contract/permissions.js';
import { Access } from '../access/access.js';
import type { CheckedToken } from '../access/explain-check.js';
import { type ProblemError, problem } from '../problems/problem.js';
import type { Condition } from '../store/condition.js';
import type { ApplicationRecord } from '../store/records.js';
import type { Call } from './context.js';

// Every question to the access controls of a caller is asked here, so that its record has all of them.

/** Checks that the caller may call an operation. @throws ProblemError 403 that says what the key lacks */
export function checkPermission(operation: OperationId, call: Call, lenient = false): void {
  const { permission, orPermission, lenientType } = operationRow(operation);
  const { session, application } = call;
  if (lenient && application.type === lenientType) return;
  if (session && session.authorized_by === undefined)
    throw problem('forbidden', 'The session is not authorized: POST /sessions/authorize with a private key.');
  if (permission === null) return;
  if (!isPermission(permission)) {
    if (application.type === permission && !session) return;
    throw problem('forbidden', `The operation needs the key of a ${permission} application.`);
  }
  requireEither(permission, orPermission, call, operation);
}

/** Checks that the caller may send requests through proxies. @throws ProblemError 403 that names the permission */
export const checkProxyPermission = (call: Call): void => requireEither('token:use', 'proxy:invoke', call);

/** @param other another permission that is enough */
function requireEither(
  permission: Permission,
  other: Permission | undefined,
  { access, checks }: Call,
  operation?: OperationId,
): void {
  const held = [permission, other].find((one) => one !== undefined && access.holds(one));
  checks.add({ scope: 'operation', ...(operation && { operation }), permission: held ?? permission });
  if (held === undefined) throw lacksPermission(permission);
}

const NAMED_CONTAINERS = 5;

/** @param granted the containers that the permission is granted on. Those of the token are not for a caller that may not read it. */
function lacksPermission(permission: Permission, on = '', granted: readonly string[] = []): ProblemError {
  const named = granted.slice(0, NAMED_CONTAINERS).join(', ');
  const more = granted.length > NAMED_CONTAINERS ? ` and ${granted.length - NAMED_CONTAINERS} more` : '';
  const only = granted.length === 0 ? '' : ` It is granted on ${named}${more}.`;
  return problem('forbidden', `The key lacks the permission ${permission}${on}.${only}`);
}

/** Requires a permission on any container of a token, and returns the transform of its rule. @throws ProblemError 403 */
export function requirePermissionOnAny(permission: Permission, token: CheckedToken, call: Call): Transform {
  const transform = findTransform(permission, token, call);
  if (transform !== undefined) return transform;
  throw lacksPermission(permission, " on the token's containers", call.access.containers(permission));
}

/** For a session, the rules of which may name the token as well. */
function seenBy({ session }: Call, token: CheckedToken): CheckedToken {
  const { id, containers } = token;
  if (!session || id === undefined) return token;
  return { id, containers: containers.map((container) => containerOfId(id, container)) };
}

/** Requires a permission on each container of a token. @throws ProblemError 403 */
export function requirePermissionOnAll(permission: Permission, token: CheckedToken, call: Call): void {
  const { access, checks } = call;
  const seen = seenBy(call, token);
  checks.addToken('every_container', permission, seen);
  if (access.grantedOnAll(permission, seen.containers)) return;
  throw lacksPermission(permission, " on one of the token's containers", access.containers(permission));
}

/** Requires that access controls grant no more of any token than the caller has itself. @throws ProblemError 403 */
export function requireOwnAccess(granted: Pick<ApplicationRecord, 'permissions' | 'rules'>, call: Call) {
  for (const { container, permissions } of granted.rules ?? [{ container: '/', ...granted }])
    for (const permission of permissions ?? [])
      call.checks.addToken('every_container', permission, { containers: [container] });
  const excess = call.access.findExcess(new Access(granted));
  if (!excess) return;
  const { permission, container, transform } = excess;
  throw lacksPermission(permission, ` with ${transform} on ${container}`);
}

/** Returns the transform under which the caller may do something with a token; undefined when it may not. */
export function findTransform(permission: Permission, token: CheckedToken, call: Call) {
  const seen = seenBy(call, token);
  call.checks.addToken('any_container', permission, seen);
  return call.access.transform(permission, seen.containers);
}

export function findResponseTransform(token: CheckedToken, call: Call): Transform | undefined {
  const seen = seenBy(call, token);
  call.checks.addToken('response', 'token:read', seen);
  return call.access.transform('token:read', seen.containers);
}

/** Adds to the filters of a list the condition that a rule of the caller covers the token. */
export function withVisibility(permission: Permission, filters: readonly Condition<'tokens'>[], call: Call) {
  call.checks.add({ scope: 'list', permission, filters });
  return [...filters, ...visibilityConditions(call.access.containers(permission))];
}

/** Excludes tokens outside of the containers that a permission is granted on. */
export function visibilityConditions(granted: readonly string[]): Condition<'tokens'>[] {
  if (granted.includes('/')) return [];
  return [{ any: granted.map((container) => ({ term: 'container', is: container })) }];
}
