import type { Handler } from '../handler.js';
import { requireOnOne } from './permission.js';
import { recordTokenAccess } from './record-access.js';
import { viewToken } from './serialize.js';

/** spec, GET /tokens/{id}: the data as the transform of the caller's access controls shows it. */
export const get: Handler<'tokens.get'> = async ({ target }, call, context) => {
  const transform = requireOnOne('token:read', target.containers, call);
  recordTokenAccess('read', [target], call, context);
  return { status: 200, body: viewToken(target, transform, context.clock.now(), call) };
};
