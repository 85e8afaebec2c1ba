import { PERMISSION_NAMES, PERMISSIONS, permissionsOfType } from '../../../src/contract/permissions.js';
import type { Handler } from '../handler-types.js';

/** GET /permissions. */
const list: Handler<'permissions.list'> = async ({ query }) => {
  const { application_type: type } = query;
  const names = type === undefined ? PERMISSION_NAMES : permissionsOfType(type);
  const body = names.map((name) => ({
    type: name,
    description: PERMISSIONS[name].allows,
    application_types: [...PERMISSIONS[name].types],
  }));
  return { status: 200, body };
};

export const permissionHandlers = { 'permissions.list': list };
