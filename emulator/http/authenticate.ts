import type { HeaderNames } from '../../src/contract/headers.js';
import type { CallerRegistry } from '../access/caller-registry.js';
import { problem } from '../problems/problem.js';
import type { Step } from './step.js';

/** Authenticates a request by its API key and sets `request.call`. */
export function authenticate(
  { apiKey }: HeaderNames,
  callers: Pick<CallerRegistry, 'findByKey' | 'expiryOf'>,
): Step {
  const header = apiKey.toLowerCase();
  return (request) => {
    const key = request.headers[header];
    if (typeof key !== 'string' || key === '') {
      throw problem('unauthenticated', `The header ${apiKey} must hold an API key.`);
    }
    const caller = callers.findByKey(key);
    if (!caller) {
      const expiry = callers.expiryOf(key);
      const reason = expiry === undefined ? 'is not a key of any application' : `expired at ${expiry}`;
      throw problem('unauthenticated', `The key in ${apiKey} ${reason}.`);
    }
    const { tenant, application, access, actor } = caller;
    request.call = { tenant, application, access, actor, traceId: request.id, depth: 0 };
  };
}

/** Authenticates a request that may come without an API key. */
export function authenticateIfGiven(
  headers: HeaderNames,
  callers: Pick<CallerRegistry, 'findByKey' | 'expiryOf'>,
): Step {
  const step = authenticate(headers, callers);
  const header = headers.apiKey.toLowerCase();
  return (request, reply) => (request.headers[header] === undefined ? undefined : step(request, reply));
}
