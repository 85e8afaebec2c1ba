import type { OperationRow } from '../../src/contract/operation.js';
import { problem } from '../problems/problem.js';
import type { Call } from './call.js';

/** Checks that the caller holds the permission of an operation. @throws ProblemError 403 that names the permission */
export function checkPermission(
  { permission }: Pick<OperationRow, 'permission'>,
  { access }: Pick<Call, 'access'>,
): void {
  if (permission === null || access.holds(permission)) return;
  throw problem('forbidden', `The key lacks the permission ${permission}.`);
}
