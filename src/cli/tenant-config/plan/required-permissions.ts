import { type OperationId, operationRow } from '../../../contract/operations.js';
import { isPermission, type Permission } from '../../../contract/permissions.js';
import type { SmokeCase } from '../../manifest/schema.js';
import { operationsOn } from '../resources/objects.js';
import type { Plan, PlannedDeletion, PlannedObject } from './plan.js';

export type RequiredPermissions = ReadonlyMap<Permission, readonly string[]>;

/** Lists the operations that applying an object calls: reads, the write, smoke tests, and undoing a write that failed its test. */
function listOperations(
  { kind, action, desired, smoke = [] }: PlannedObject,
  extraSmoke: SmokeCase | undefined,
): OperationId[] {
  const { list, create, update, remove } = operationsOn(kind);
  const isTested = (action !== 'unchanged' && smoke.length > 0) || extraSmoke !== undefined;
  return [
    list,
    ...(desired.application ? (['applications.list'] as const) : []),
    ...(action === 'create' && create ? [create] : []),
    ...(action === 'update' ? [update] : []),
    ...(isTested ? (['reactors.react'] as const) : []),
    ...(isTested && action === 'create' && remove ? [remove] : []),
  ];
}

function listDeletionOperations({ kind }: PlannedDeletion): OperationId[] {
  const { list, remove } = operationsOn(kind);
  return [list, ...(remove ? [remove] : [])];
}

/** Lists the permissions that applying a plan needs. @param smoke the smoke test of the command line */
export function listRequiredPermissions(
  { objects, deletions }: Pick<Plan, 'objects' | 'deletions'>,
  smoke?: SmokeCase | undefined,
): RequiredPermissions {
  const required = new Map<Permission, string[]>();
  const add = ({ kind, name }: { kind: string; name: string }, operations: readonly OperationId[]) => {
    for (const permission of new Set(operations.map((id) => operationRow(id).permission)))
      if (isPermission(permission))
        required.set(permission, [...(required.get(permission) ?? []), `${kind} ${name}`]);
  };
  for (const object of objects) if (object.action !== 'fail') add(object, listOperations(object, smoke));
  for (const deletion of deletions) add(deletion, listDeletionOperations(deletion));
  return new Map([...required].sort(([one], [other]) => (one < other ? -1 : 1)));
}
