import {
  type ApplicationType,
  type Permission,
  permissionsOfType,
} from '../../../src/contract/permissions.js';
import type { AccessRule } from '../../../src/contract/schemas/index.js';
import type { FieldErrors } from '../../../src/contract/validation.js';
import { validationProblem } from '../../problems/problem.js';

/** What a request grants: permissions, or rules. */
export interface AccessControls {
  permissions?: Permission[] | undefined;
  rules?: AccessRule[] | undefined;
}

function checkPermissions(
  type: ApplicationType,
  granted: readonly Permission[],
  path: string,
  errors: FieldErrors,
): void {
  const allowed = permissionsOfType(type);
  for (const [index, permission] of granted.entries()) {
    if (!allowed.includes(permission))
      errors[`${path}.${index}`] = [`is not for a ${type} application, which may hold ${allowed.join(', ')}`];
  }
}

/** @throws ProblemError 400 when the type may not hold a permission; decisions.md, "Containers and access controls". */
export function checkAccess(type: ApplicationType, { permissions, rules }: AccessControls): void {
  const errors: FieldErrors = {};
  checkPermissions(type, permissions ?? [], 'permissions', errors);
  for (const [index, rule] of (rules ?? []).entries()) {
    checkPermissions(type, rule.permissions, `rules.${index}.permissions`, errors);
  }
  if (Object.keys(errors).length > 0) throw validationProblem(errors);
}

/** The same without what is absent: a record holds no undefined. */
export function toAccessControls({ permissions, rules }: AccessControls) {
  return {
    ...(permissions && { permissions }),
    ...(rules && { rules: rules.map(toStoredRule) }),
  };
}

function toStoredRule({ description, ...rule }: AccessRule) {
  return { ...(description !== undefined && { description }), ...rule };
}
