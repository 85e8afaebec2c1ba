import type { Json } from '../../../src/contract/json.js';
import type { SvcCall } from '../invocation.js';
import type { MessageFromWorker, SvcFailure, SvcResponse } from '../protocol.js';

/** Executes one `svc` call of reactor code. Never rejects: an error becomes plain data, without the stack of the host. */
export async function respondToSvc(
  svc: SvcCall | null,
  { call, method, params }: Extract<MessageFromWorker, { type: 'svc' }>,
): Promise<SvcResponse> {
  try {
    if (!svc) throw new Error('svc is not available: the reactor has no application.');
    const result = await svc(method, JSON.parse(params));
    return { type: 'svc-response', call, json: JSON.stringify(result ?? null) };
  } catch (error) {
    return { type: 'svc-response', call, failure: toSvcFailure(error) };
  }
}

function toSvcFailure(error: unknown): SvcFailure {
  const { message, status, errors } = error as Error & { status?: unknown; errors?: unknown };
  return {
    message,
    ...(typeof status === 'number' && { status }),
    ...(errors !== undefined && { errors: errors as Json }),
  };
}
