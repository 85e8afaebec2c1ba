import type { Json } from '../../../src/contract/json.js';
import type { SvcCall } from '../invocation.js';
import type { MessageFromWorker, SvcFailure, SvcResponse } from '../protocol.js';

/** Answers one `svc` call of reactor code; a rejection becomes plain data, without the host's stack. */
export async function respondToSvc(
  svc: SvcCall | null,
  { call, method, params }: Extract<MessageFromWorker, { type: 'svc' }>,
): Promise<SvcResponse> {
  try {
    if (!svc) throw new Error('The reactor has no application, so it has no svc.');
    const result = await svc(method, JSON.parse(params));
    return { type: 'answer', call, json: JSON.stringify(result ?? null) };
  } catch (error) {
    return { type: 'answer', call, failure: toSvcFailure(error) };
  }
}

function toSvcFailure(error: unknown): SvcFailure {
  if (!(error instanceof Error)) return { message: 'The call failed.' };
  const { message, status, errors } = error as Error & { status?: unknown; errors?: unknown };
  return {
    message,
    ...(typeof status === 'number' && { status }),
    ...(errors !== undefined && { errors: errors as Json }),
  };
}
