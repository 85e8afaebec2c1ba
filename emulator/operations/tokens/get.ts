import { RequestBudget } from '../../expressions/index.js';
import { requirePermissionOnAny } from '../authorize.js';
import type { Handler } from '../handler-types.js';
import { recordTokenAccess } from './record-access.js';
import { serializeToken } from './serialize.js';

/** GET /tokens/{id}. The transform of the caller's access controls applies to the data. */
export const get: Handler<'tokens.get'> = async ({ resource }, call, context) => {
  const transform = requirePermissionOnAny('token:read', resource, call);
  recordTokenAccess('read', [resource], transform, call, context);
  const budget = new RequestBudget(context.clock.now());
  return { status: 200, body: await serializeToken(resource, transform, budget, call) };
};
