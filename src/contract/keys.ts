import { defineOperation } from './operation-row.js';

/** Keys to encrypt token data on its way to the service; decided, The family as it is today. */
export const keyOperations = {
  'keys.create': defineOperation('POST', '/keys', 'token:create', {
    lenientType: 'management',
    summary: 'Create a key to encrypt token data with',
    success: [201],
    body: 'any-json',
    optionalBody: true,
  }),
  'keys.list': defineOperation('GET', '/keys', 'token:create', {
    lenientType: 'management',
    summary: 'List the keys to encrypt token data with, without the keys themselves',
    returns: 'list',
  }),
  'keys.get': defineOperation('GET', '/keys/{id}', 'token:create', {
    lenientType: 'management',
    summary: 'Get a key to encrypt token data with, without the key itself',
    uuid: true,
  }),
  'keys.delete': defineOperation('DELETE', '/keys/{id}', 'token:delete', {
    lenientType: 'management',
    summary: 'Delete a key to encrypt token data with; what it encrypted is refused',
    success: [204],
    uuid: true,
  }),
};
