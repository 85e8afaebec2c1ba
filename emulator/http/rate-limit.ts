import type { RateScope } from '../../src/contract/limits.js';
import { type OperationId, operationRow } from '../../src/contract/operations.js';
import type { RateLimiter } from '../services/rate-limiter.js';
import type { Step } from './step.js';

/** Counts the request for the `Global` scope and for the scope of its operation. */
export function limitRate(limiter: Pick<RateLimiter, 'count'> | undefined): Step {
  return ({ ip, operation }) => limiter?.count(ip, scopesOf(operation));
}

const GLOBAL: readonly RateScope[] = ['global'];

function scopesOf(operation: OperationId | undefined): readonly RateScope[] {
  const scope = operation && operationRow(operation).rateScope;
  return scope ? [...GLOBAL, scope] : GLOBAL;
}
