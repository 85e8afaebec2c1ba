import type { CallerRegistry } from '../../../access/caller-registry.js';
import { problem } from '../../../problems/problem.js';
import type { ReactorRecord } from '../../../store/records.js';
import type { Call } from '../../call.js';

/**
 * Creates the call that the code of a reactor makes, with the permissions of the reactor's application.
 * @returns null when the reactor has no application
 * @throws ProblemError 401 when the application was deleted
 */
export function createReactorCall(
  reactor: ReactorRecord,
  call: Call,
  { callers }: { callers: CallerRegistry },
): Call | null {
  if (!reactor.application) return null;
  const caller = callers.findByApplication(reactor.tenant_id, reactor.application.id);
  if (!caller) throw problem('unauthenticated', 'The application of the reactor has been deleted.');
  return {
    ...caller,
    actor: { id: reactor.id, type: 'reactor' },
    traceId: call.traceId,
    depth: call.depth + 1,
    ...(call.tokenIds && { tokenIds: call.tokenIds }),
    ...(call.marker && { marker: call.marker }),
  };
}
