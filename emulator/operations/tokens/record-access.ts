import type { Transform } from '../../../src/contract/permissions.js';
import { activityOf } from '../../services/activity.js';
import { audit } from '../../services/audit-log.js';
import type { TokenRecord } from '../../store/records.js';
import type { Call } from '../call.js';
import type { Context } from '../context.js';

type Operation = 'read' | 'use';

/** How tokens on a page of a list were shown. */
export interface ListedTransforms {
  /** The ids of those whose data was revealed. */
  revealed: string[];
  /** The one that showed most; undefined for an empty page. */
  most: Transform | undefined;
}

/** What the record of an access names of a token. */
export type ListedToken = Pick<TokenRecord, 'id' | 'tenant_id' | 'created_at'>;

/** The services that recording access needs. */
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

/**
 * Records a list as one audit entry without ids, and an entry for each token that it revealed. Each token on the page counts
 * as active.
 */
export function recordListAccess(
  tokens: readonly ListedToken[],
  { revealed, most }: ListedTransforms,
  call: Call,
  services: AccessServices,
): void {
  const reads = revealed.map((id) =>
    audit(call, { entity: 'token', operation: 'read', id, transform: 'reveal' }, services),
  );
  // The last entry, since the event log repeats it.
  const list = audit(
    call,
    { entity: 'token', operation: 'list', ...(most && { transform: most }) },
    services,
  );
  services.store.record([list, ...reads, ...activityOf(tokens, services.clock.now())]);
}
