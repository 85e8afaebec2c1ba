import { audit } from '../../services/audit-log.js';
import { activityOf } from '../../store/activity.js';
import type { TokenRecord } from '../../store/records.js';
import type { Call } from '../call.js';
import type { Context } from '../context.js';

type Operation = 'read' | 'use';

/** What the record of an access names of a token. */
export type ListedToken = Pick<TokenRecord, 'id' | 'tenant_id' | 'created_at'>;

/** The services that recording access needs. */
export type AccessServices = Pick<Context, 'store' | 'clock' | 'ids'>;

/** Records that tokens were read or used: an audit entry for each, and their activity in the current month. */
export function recordTokenAccess(
  operation: Operation,
  tokens: readonly TokenRecord[],
  call: Call,
  services: AccessServices,
): void {
  const entries = tokens.map(({ id }) => audit(call, { entity: 'token', operation, id }, services));
  services.store.record([...entries, ...activityOf(tokens, services.clock.now())]);
}

/** Records a list as one audit entry without ids; each token on the page counts as active. */
export function recordListAccess(tokens: readonly ListedToken[], call: Call, services: AccessServices): void {
  const entry = audit(call, { entity: 'token', operation: 'list' }, services);
  services.store.record([entry, ...activityOf(tokens, services.clock.now())]);
}
