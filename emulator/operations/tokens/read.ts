import type { Handler } from '../handler.js';
import { requireOnOne } from './permission.js';
import { recordTokenAccess } from './record-access.js';
import { viewToken } from './serialize.js';

/** spec, GET /tokens/{id}: the data as the transform of the caller's access controls shows it. */
export const get: Handler<'tokens.get'> = async ({ resource }, call, context) => {
  const transform = requireOnOne('token:read', resource.containers, call);
  recordTokenAccess('read', [resource], call, context);
  return { status: 200, body: viewToken(resource, transform, context.clock.now(), call) };
};
