import { APPLICATION_TYPES, type ApplicationType } from '../../../contract/application-types.js';
import { PERMISSIONS, type Permission, permissionsOfType } from '../../../contract/permissions.js';
import { RESOURCES } from '../../../contract/resources.js';
import type { AccessRule } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { readBody } from '../resource/body.js';
import { oneOf } from '../shared/flag-values.js';

export interface ApplicationOptions {
  name?: string | undefined;
  type?: string | undefined;
  permission?: string[] | undefined;
  rules?: string | undefined;
}

export type Access = { permissions: Permission[] } | { rules: AccessRule[] };

/** Reads permissions or rules from the flags; undefined when neither is given. The service validates them. */
export async function readAccess(
  { type, permission, rules }: ApplicationOptions,
  context: Context,
): Promise<Access | undefined> {
  oneOf(APPLICATION_TYPES, type, '--type');
  if (permission && rules !== undefined)
    throw usageError(
      '--permission and --rules cannot be used together. An application has either permissions or rules.',
    );
  if (!permission && rules === undefined) return undefined;
  return (await readBody(RESOURCES.application, { permission, rules }, context)) as Access;
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
