import type { AccessTraces } from '../../../access/access-traces.js';
import type { Actor, CallerRegistry } from '../../../access/caller-registry.js';
import type { Clock } from '../../../lib/clock.js';
import { problem } from '../../../problems/problem.js';
import type { ReactorRecord } from '../../../store/records.js';
import type { Call } from '../../call.js';

/** The services that a call of a reactor needs. */
export interface CallServices {
  callers: CallerRegistry;
  accessTraces: Pick<AccessTraces, 'begin'>;
  clock: Pick<Clock, 'now'>;
}

/**
 * Creates the call that the code of a reactor makes, with the permissions of the reactor's application.
 * @returns null when the reactor has no application
 * @throws ProblemError 401 when the application was deleted
 */
export function createReactorCall(
  reactor: ReactorRecord,
  call: Call,
  { callers, accessTraces, clock }: CallServices,
): Call | null {
  if (!reactor.application) return null;
  const caller = callers.findByApplication(reactor.tenant_id, reactor.application.id);
  if (!caller) throw problem('unauthenticated', 'The application of the reactor has been deleted.');
  const actor: Actor = { id: reactor.id, type: 'reactor' };
  const { application } = caller;
  return {
    ...caller,
    actor,
    accessTrace: accessTraces.begin(call.traceId, { application, actor }, clock.now()),
    traceId: call.traceId,
    depth: call.depth + 1,
    ...(call.tokenIds && { tokenIds: call.tokenIds }),
    ...(call.marker && { marker: call.marker }),
  };
}
