import { PERMISSION_NAMES, PERMISSIONS } from '../../../src/contract/permissions.js';
import type { Handler } from '../handler.js';
import { toOffsetLimit, toPage } from '../pagination.js';

const ENTRIES = PERMISSION_NAMES.map((name) => ({
  name,
  description: PERMISSIONS[name].allows,
  application_types: [...PERMISSIONS[name].types],
}));

const list: Handler<'permissions.list'> = async ({ query }) => {
  const { offset, limit } = toOffsetLimit(query);
  return { status: 200, body: toPage(ENTRIES.slice(offset, offset + limit), ENTRIES.length, query) };
};

export const permissionHandlers = { 'permissions.list': list };
