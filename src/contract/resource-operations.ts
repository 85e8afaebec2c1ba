import type { OperationRow } from './operation-row.js';

/**
 * Returns what the operations of a resource have in common with those of every other. A row adds its summary, and what is its
 * own: `defineOperation({ ...proxies.create, summary: 'Create a proxy' })`.
 */
export function resourceOperations<const Collection extends string, const Noun extends string>(
  collection: Collection,
  noun: Noun,
  source: OperationRow['source'],
) {
  const all = `/${collection}` as const;
  const one = `/${collection}/{id}` as const;
  const permission = `${noun}:update` as const;
  return {
    create: {
      method: 'POST',
      path: all,
      permission: `${noun}:create`,
      success: [201],
      source,
      body: 'json',
    },
    list: { method: 'GET', path: all, permission: `${noun}:read`, success: [200], returns: 'page', source },
    get: { method: 'GET', path: one, permission: `${noun}:read`, success: [200], source, uuid: true },
    replace: { method: 'PUT', path: one, permission, success: [200], source, body: 'json', uuid: true },
    update: {
      method: 'PATCH',
      path: one,
      permission,
      success: [204],
      source,
      body: 'merge-patch',
      uuid: true,
    },
    delete: { method: 'DELETE', path: one, permission: `${noun}:delete`, success: [204], source, uuid: true },
  } as const;
}
