import type { Handler } from '../handler.js';
import { toOffsetLimit, toPage } from '../pagination.js';
import { serializeReactor } from './serialize.js';
import { matchesName } from './wildcard.js';

/** GET /reactors. Names are compared one by one, since a tenant has few reactors and all are in memory. */
export const list: Handler<'reactors.list'> = async ({ query }, call, context) => {
  const ids = query.id?.map((id) => id.toLowerCase());
  const { name } = query;
  const { records } = await context.store.find('reactors', {
    tenantId: call.tenant.id,
    ...(ids && { where: { ids } }),
  });
  const matching = name === undefined ? records : records.filter((record) => matchesName(record.name, name));
  const { offset, limit } = toOffsetLimit(query);
  const page = matching.slice(offset, offset + limit).map(serializeReactor);
  return { status: 200, body: toPage(page, matching.length, query) };
};
