import { create } from './create.js';
import { deleteToken } from './delete.js';
import { get } from './get.js';
import { list } from './list.js';
import { listByCursor, searchByCursor } from './list-by-cursor.js';
import { search } from './search.js';
import { update } from './update.js';

export const tokenHandlers = {
  'tokens.create': create,
  'tokens.list': list,
  'tokens.get': get,
  'tokens.update': update,
  'tokens.delete': deleteToken,
  'tokens.search': search,
  'tokens.listByCursor': listByCursor,
  'tokens.searchByCursor': searchByCursor,
};
