import { TRANSFORMS, type Transform } from '../../../src/contract/permissions.js';
import { activityOf } from '../../services/activity.js';
import { audit } from '../../services/audit-log.js';
import type { TokenRecord } from '../../store/records.js';
import type { Call, Context } from '../context.js';

type Operation = 'read' | 'use';

/** What the record of a list names of a token, and how it was shown. */
export interface ListedToken extends Pick<TokenRecord, 'id' | 'tenant_id' | 'created_at'> {
  transform: Transform;
}

export type AccessServices = Pick<Context, 'store' | 'clock' | 'ids'>;

/** Records that tokens were read or used: an audit entry for each, and their activity in the current month. */
export function recordTokenAccess(
  operation: Operation,
  tokens: readonly TokenRecord[],
  transform: Transform,
  call: Call,
  services: AccessServices,
): void {
  const entries = tokens.map(({ id }) =>
    audit(call, { entity: 'token', operation, id, transform }, services),
  );
  services.store.record([...entries, ...activityOf(tokens, services.clock.now())]);
}

/** Records a list as one audit entry without ids, and an entry for each token that it revealed. */
export function recordListAccess(tokens: readonly ListedToken[], call: Call, services: AccessServices): void {
  const reads = tokens
    .filter(({ transform }) => transform === 'reveal')
    .map(({ id, transform }) => audit(call, { entity: 'token', operation: 'read', id, transform }, services));
  const most = TRANSFORMS.findLast((one) => tokens.some(({ transform }) => transform === one));
  // The last entry, since the event log repeats it.
  const list = audit(
    call,
    { entity: 'token', operation: 'list', ...(most && { transform: most }) },
    services,
  );
  services.store.record([list, ...reads, ...activityOf(tokens, services.clock.now())]);
}
