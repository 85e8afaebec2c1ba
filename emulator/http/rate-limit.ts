import type { RateScope } from '../../src/contract/limits.js';
import { OPERATION_IDS, type OperationId, operationRow } from '../../src/contract/operations.js';
import type { RateLimiter } from '../services/rate-limiter.js';
import type { Step } from './step.js';

/** Counts the request for the `Global` scope and for the scope of its operation. */
export function limitRate(limiter: Pick<RateLimiter, 'count'> | undefined): Step {
  return ({ ip, operation }) => limiter?.count(ip, (operation && SCOPES.get(operation)) ?? GLOBAL);
}

const GLOBAL: readonly RateScope[] = ['global'];

/** The scopes that a request of each operation counts for. */
const SCOPES: ReadonlyMap<OperationId, readonly RateScope[]> = new Map(
  OPERATION_IDS.map((id) => {
    const { rateScope } = operationRow(id);
    return [id, rateScope ? [...GLOBAL, rateScope] : GLOBAL];
  }),
);
