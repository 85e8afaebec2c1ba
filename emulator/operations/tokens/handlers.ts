import { RequestBudget } from '../../expressions/index.js';
import { requirePermissionOnAny } from '../authorize.js';
import type { Handlers } from '../context.js';
import { create } from './create.js';
import { deleteWith } from './delete.js';
import { list, search } from './list.js';
import { listByCursor, searchByCursor } from './list-by-cursor.js';
import { recordTokenAccess } from './record-access.js';
import { serializeToken } from './serialize.js';
import { update } from './update.js';

export const tokenHandlers = {
  'tokens.create': create,
  'tokens.list': list,
  /** GET /tokens/{id}. The transform of the caller's access controls applies to the data. */
  async 'tokens.get'({ resource }, call, context) {
    const transform = requirePermissionOnAny('token:read', resource, call);
    recordTokenAccess('read', [resource], transform, call, context);
    const { id, type, tenant_id } = resource;
    const { actor } = call;
    await context.webhookEvents.report('token.read', tenant_id, { token: { id, type }, actor });
    const budget = new RequestBudget(context.clock.now(), call.tenant.id);
    return { status: 200, body: await serializeToken(resource, transform, budget, call) };
  },
  'tokens.update': update,
  'tokens.delete': deleteWith('token:delete'),
  'tokens.search': search,
  'tokens.listByCursor': listByCursor,
  'tokens.searchByCursor': searchByCursor,
} satisfies Partial<Handlers>;
