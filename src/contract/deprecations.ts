import { isObject } from './json.js';
import type { OperationId } from './operations.js';

/** What the API family has switched off and the specification still has; decided, The family as it is today. */
interface Deprecation {
  /** Since when it is deprecated, and when the family has switched it off. */
  since: string;
  sunset: string;
  /** What clients use in its place. */
  instead: string;
  /** Whether a request uses it; by default, every request of the operation does. */
  isUsed?: (body: Readonly<Record<string, unknown>>) => boolean;
}

/** A query of a single term, or of several metadata terms. */
const SIMPLE_QUERY = /^\s*((id|data):\S+|metadata\.[^\s:]+:\S+(\s+AND\s+metadata\.[^\s:]+:\S+)*)?\s*$/;

const DEPRECATIONS: Partial<Record<OperationId, Deprecation>> = {
  'tokens.list': { since: '2025-01-03', sunset: '2025-03-01', instead: 'GET /v2/tokens' },
  'tokens.search': { since: '2025-01-03', sunset: '2025-03-01', instead: 'POST /v2/tokens/search' },
  'tokens.searchByCursor': {
    ...{ since: '2024-01-23', sunset: '2024-01-23', instead: 'queries of one term' },
    isUsed: ({ query }) => typeof query === 'string' && !SIMPLE_QUERY.test(query),
  },
  'reactors.react': {
    ...{ since: '2024-11-01', sunset: '2025-01-15', instead: 'POST /reactors/{id}/react-async' },
    isUsed: ({ callback_url }) => callback_url != null,
  },
  'applications.regenerate': {
    ...{ since: '2024-04-17', sunset: '2024-10-17', instead: 'POST /applications/{id}/keys' },
  },
};

/** Returns what is deprecated of a request; undefined if nothing is. */
export function deprecationOf(operation: OperationId, body: unknown): Deprecation | undefined {
  const found = DEPRECATIONS[operation];
  return found?.isUsed?.(isObject(body) ? body : {}) === false ? undefined : found;
}
