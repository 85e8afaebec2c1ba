import {
  type ApplicationType,
  PERMISSIONS,
  type Permission,
  permissionsOfType,
} from '../../../contract/permissions.js';
import type { AccessRule } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { readJson } from '../shared/input.js';

export interface AccessOptions {
  permission?: string[] | undefined;
  rules?: string | undefined;
}

export type Access = { permissions: Permission[] } | { rules: AccessRule[] };

/** Reads permissions or rules from the flags; undefined when neither is given. The service validates them. */
export async function readAccess(
  { permission, rules }: AccessOptions,
  context: Context,
): Promise<Access | undefined> {
  if (permission && rules !== undefined)
    throw usageError(
      '--permission and --rules cannot be used together. An application has either permissions or rules.',
    );
  if (permission) return { permissions: permission.flatMap((names) => names.split(',')) as Permission[] };
  if (rules === undefined) return undefined;
  const list = await readJson(rules, '--rules', context);
  if (!Array.isArray(list)) throw usageError('--rules must be a JSON array.');
  return { rules: list as AccessRule[] };
}

/** Prompts for the permissions of an application, out of those that its type may hold. */
export async function askPermissions(
  type: ApplicationType,
  prompts: Context['prompts'],
): Promise<{ permissions: Permission[] }> {
  const permissions = await prompts.selectSeveral({
    flag: '--permission or --rules',
    message: 'Permissions (for access by container, use --rules)',
    choices: permissionsOfType(type).map((name) => ({
      name,
      value: name,
      description: PERMISSIONS[name].allows,
    })),
  });
  return { permissions };
}
