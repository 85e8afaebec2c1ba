import {
  type ApplicationType,
  type Permission,
  permissionsOfType,
} from '../../../src/contract/permissions.js';
import type { AccessRule } from '../../../src/contract/schemas/index.js';
import type { FieldErrors } from '../../../src/contract/validation.js';
import { validationProblem } from '../../problems/problem.js';

/** The permissions or rules of a request. */
interface AccessControls {
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
      errors[`${path}.${index}`] = [
        `is not allowed for a ${type} application; allowed are ${allowed.join(', ')}`,
      ];
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

/** Converts permissions or rules to record fields, without properties that are undefined. */
export function toAccessControls({ permissions, rules }: AccessControls) {
  return {
    ...(permissions && { permissions }),
    ...(rules && { rules: rules.map(toStoredRule) }),
  };
}

function toStoredRule({ description, ...rule }: AccessRule) {
  return { ...(description !== undefined && { description }), ...rule };
}
