import type { Handler } from '../handler.js';
import { requirePermissionOnAny } from './container-permissions.js';
import { recordTokenAccess } from './record-access.js';
import { serializeToken } from './serialize.js';

/** spec, GET /tokens/{id}: the data as the transform of the caller's access controls shows it. */
export const get: Handler<'tokens.get'> = async ({ resource }, call, context) => {
  const transform = requirePermissionOnAny('token:read', resource.containers, call);
  recordTokenAccess('read', [resource], call, context);
  return { status: 200, body: serializeToken(resource, transform, context.clock.now(), call) };
};
