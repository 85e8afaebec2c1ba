import type { HeaderNames } from '../../src/contract/headers.js';
import type { AccessTraces } from '../access/access-traces.js';
import type { CallerRegistry } from '../access/caller-registry.js';
import type { KeyUse } from '../access/key-use.js';
import type { TenantClocks } from '../lib/tenant-clocks.js';
import { problem } from '../problems/problem.js';
import type { Step } from './step.js';

/** The services that authentication needs. */
export interface AuthenticationServices {
  callers: Pick<CallerRegistry, 'findByKey' | 'expiryOf'>;
  accessTraces: Pick<AccessTraces, 'begin'>;
  keyUse: Pick<KeyUse, 'note'>;
  clocks: Pick<TenantClocks, 'of'>;
}

/** Authenticates a request by its API key and sets `request.call`. */
export function authenticate(
  { apiKey }: HeaderNames,
  { callers, accessTraces, keyUse, clocks }: AuthenticationServices,
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
    keyUse.note(caller);
    const traceId = request.id;
    const accessTrace = accessTraces.begin(traceId, caller, clocks.of(caller.tenant.id).now());
    request.call = { ...caller, accessTrace, traceId, depth: 0 };
  };
}

/** Authenticates a request that may come without an API key. */
export function authenticateIfGiven(headers: HeaderNames, services: AuthenticationServices): Step {
  const step = authenticate(headers, services);
  const header = headers.apiKey.toLowerCase();
  return (request, reply) => (request.headers[header] === undefined ? undefined : step(request, reply));
}
