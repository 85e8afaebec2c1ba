import type { OperationId } from '../../src/contract/operations.js';
import { operationRow } from '../../src/contract/operations.js';
import type { Permission, Transform } from '../../src/contract/permissions.js';
import type { CheckedToken } from '../access/access-check.js';
import { problem } from '../problems/problem.js';
import type { Condition } from '../store/condition.js';
import type { Call } from './call.js';

// Every question to the access controls of a caller is asked here, so that its record has all of them.

/** Checks that the caller holds the permission of an operation. @throws ProblemError 403 that names the permission */
export function checkPermission(operation: OperationId, call: Call): void {
  const { permission } = operationRow(operation);
  if (permission === null) return;
  call.checks.add({ scope: 'operation', operation, permission });
  if (!call.access.holds(permission)) throw lacksPermission(permission);
}

/** Checks that the caller may send requests through proxies. @throws ProblemError 403 that names the permission */
export function checkProxyPermission(call: Call): void {
  const permission = 'token:use';
  call.checks.add({ scope: 'operation', permission });
  if (!call.access.holds(permission)) throw lacksPermission(permission);
}

function lacksPermission(permission: Permission): Error {
  return problem('forbidden', `The key lacks the permission ${permission}.`);
}

/** Returns the transform under which the caller may do something with a token; undefined when it may not. */
export function findTransform(
  permission: Permission,
  token: CheckedToken,
  call: Call,
): Transform | undefined {
  call.checks.addToken('any_container', permission, token);
  return call.access.transform(permission, token.containers);
}

/** Returns the transform under which the response may show a token that the caller did not ask to read. */
export function findResponseTransform(token: CheckedToken, call: Call): Transform | undefined {
  call.checks.addToken('response', 'token:read', token);
  return call.access.transform('token:read', token.containers);
}

/** Whether the caller holds the permission on each container of a token. */
export function isGrantedOnAll(permission: Permission, token: CheckedToken, call: Call): boolean {
  call.checks.addToken('every_container', permission, token);
  return call.access.grantedOnAll(permission, token.containers);
}

/** Adds to the filters of a list the condition that a rule of the caller covers the token. */
export function withVisibility(
  permission: Permission,
  filters: readonly Condition<'tokens'>[],
  call: Call,
): Condition<'tokens'>[] {
  call.checks.add({ scope: 'list', permission, filters });
  return [...filters, ...visibilityConditions(call.access.containers(permission))];
}

/** Excludes tokens outside of the containers that a permission is granted on. */
export function visibilityConditions(granted: readonly string[]): Condition<'tokens'>[] {
  if (granted.includes('/')) return [];
  return [{ any: granted.map((container) => ({ term: 'container', is: container })) }];
}
