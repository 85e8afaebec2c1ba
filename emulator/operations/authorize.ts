import type { OperationRow } from '../../src/contract/operation.js';
import { problem } from '../problems/problem.js';
import type { Call } from './handler.js';

/** @throws ProblemError 403 when the key lacks the operation's permission; the message names it. */
export function checkPermission(row: OperationRow, call: Pick<Call, 'access'>): void {
  if (row.permission === null || call.access.holds(row.permission)) return;
  throw problem('forbidden', `The key lacks the permission ${row.permission}.`);
}
