import type { Permission } from '../../../src/contract/permissions.js';
import type { OperationRequest, Token } from '../../../src/contract/schemas/index.js';
import type { Condition } from '../../store/condition.js';
import type { Call } from '../call.js';
import type { Handler } from '../handler.js';
import { type Page, type PageQuery, toOffsetLimit, toPage } from '../pagination.js';
import { unexpiredCondition } from '../token-expiry.js';
import { type AccessServices, recordListAccess } from './record-access.js';
import { serializeToken } from './serialize.js';

type Filters = OperationRequest<'tokens.list'>['query'];

/** GET /tokens. */
export const list: Handler<'tokens.list'> = async ({ query }, call, context) => ({
  status: 200,
  body: await findTokenPage('token:read', filterConditions(query), query, call, context),
});

function filterConditions({ id, metadata, type, container }: Filters): Condition<'tokens'>[] {
  const all: Condition<'tokens'>[] = [];
  if (id !== undefined) all.push({ ids: [...new Set(id)] });
  for (const [key, value] of Object.entries(metadata ?? {})) all.push({ term: `metadata.${key}`, is: value });
  if (type !== undefined) all.push({ term: 'type', is: type });
  if (container !== undefined) all.push({ term: 'container', is: container });
  return all;
}

/** Finds a page of the live tokens that match all conditions and that the permission lets the caller see. */
export async function findTokenPage(
  permission: Permission,
  conditions: readonly Condition<'tokens'>[],
  query: PageQuery,
  call: Call,
  services: AccessServices,
): Promise<Page<Token>> {
  const now = services.clock.now();
  const all = [...conditions, ...visibilityConditions(permission, call), unexpiredCondition(now)];
  const { records, total } = await services.store.find('tokens', {
    tenantId: call.tenant.id,
    where: { all },
    ...toOffsetLimit(query),
  });
  recordListAccess(records, call, services);
  const data = records.map((record) => {
    const transform = call.access.transform(permission, record.containers) ?? 'redact';
    return serializeToken(record, transform, now, call);
  });
  return toPage(data, total, query);
}

/** Excludes tokens in containers that no rule covers. */
function visibilityConditions(permission: Permission, call: Call): Condition<'tokens'>[] {
  const granted = call.access.containers(permission);
  if (granted.includes('/')) return [];
  return [{ any: granted.map((container) => ({ term: 'container', is: container })) }];
}
